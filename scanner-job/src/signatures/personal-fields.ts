/** How deep and how far an answer is looked through. */
const MAX_DEPTH = 4;
const MAX_FIELDS = 300;

/** What an object says of a person. */
export interface PersonalFields {
  /** Names of fields that nobody publishes: identity numbers, dates of birth, cards, diagnoses, passwords. */
  readonly intimate: readonly string[];
  /** Names of fields that make it somebody's own: its owner, customer or patient; a person's name with an address. */
  readonly owned: readonly string[];
}

/**
 * The fields with a value that tie an answer to a person. A shop's e-mail address or the author of a post is none:
 * what is public by nature would be taken for a leak.
 */
export function personalFields(json: unknown): PersonalFields {
  const names = [...fieldNames(json)];
  const plain = (name: string): string => name.replace(/[^a-z]/gi, "").toLowerCase();
  const contact = names.filter((name) => CONTACT.test(plain(name)));
  const isPerson = names.some((name) => PERSON.test(plain(name)));
  return {
    intimate: names.filter((name) => INTIMATE.test(plain(name))),
    owned: [...names.filter((name) => OWNER.test(plain(name))), ...(isPerson ? contact : [])],
  };
}

const INTIMATE =
  /^(ssn|socialsecurity(number)?|nationalid|taxid|passport(number|no)?|dateofbirth|birthdate|dob|diagnos[ie]s|medicalhistory|prescriptions?|bloodtype|iban|accountnumber|cardnumber|creditcard|cvv|salary|password(hash)?|passwd|hashedpassword)$/;
const OWNER =
  /^(owner|ownerid|owneremail|customer|customerid|customername|patient|patientid|patientname|accountid|accountholder|memberid|employeeid|beneficiary)$/;
const CONTACT = /^(e?mail|emailaddress|phone|phonenumber|mobile|homeaddress)$/;
const PERSON = /^(firstname|lastname|fullname|surname|givenname|familyname|username|gender|age)$/;

/** Names of fields with a value, breadth first, within bounds. */
function fieldNames(json: unknown): Set<string> {
  const names = new Set<string>();
  let level: unknown[] = [json];
  for (let depth = 0; depth <= MAX_DEPTH && names.size < MAX_FIELDS; depth++) {
    const members = level.flatMap(membersOf).slice(0, MAX_FIELDS);
    for (const [name] of members) if (name !== "") names.add(name);
    level = members.map(([, value]) => value);
  }
  return names;
}

/** Name and value of what an object holds, and of the first items of a list, which have no name. */
function membersOf(value: unknown): [string, unknown][] {
  if (Array.isArray(value)) return value.slice(0, 3).map((item) => ["", item]);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).filter(([, member]) => member !== null && member !== "");
}
