import { walk } from "../json.ts";
import { lettersOf } from "../names.ts";
import { rowsOf } from "../oracles/records.ts";
import { valuesIn } from "./sensitive-fields.ts";

/** Personal data in an object. */
export interface PersonalFields {
  /** Names of fields that are never public: identity numbers, dates of birth, cards, diagnoses, passwords. */
  readonly intimate: readonly string[];
  /** Names of fields that link it to a person: its owner, customer or patient; a person's name with an address. */
  readonly owned: readonly string[];
}

/**
 * The fields with a value that tie a response to a person. A shop's e-mail address or the author of a post does not:
 * what is public by nature would be taken for a leak.
 */
export function personalFields(json: unknown): PersonalFields {
  const names = [...fieldNames(json)];
  const contact = names.filter((name) => CONTACT.test(lettersOf(name)));
  const isPerson = names.some((name) => PERSON.test(lettersOf(name)));
  return {
    intimate: names.filter((name) => INTIMATE.test(lettersOf(name))),
    owned: [...names.filter((name) => OWNER.test(lettersOf(name))), ...(isPerson ? contact : [])],
  };
}

const INTIMATE =
  /^(ssn|socialsecurity(number)?|nationalid|taxid|passport(number|no)?|dateofbirth|birthdate|dob|diagnos[ie]s|medicalhistory|prescriptions?|bloodtype|iban|accountnumber|cardnumber|creditcard|cvv|salary|password(hash)?|passwd|hashedpassword)$/;
const OWNER =
  /^(owner|ownerid|owneremail|customer|customerid|customername|patient|patientid|patientname|accountid|accountholder|memberid|employeeid|beneficiary)$/;
const CONTACT = /^(e?mail|emailaddress|phone|phonenumber|mobile|homeaddress)$/;
const PERSON = /^(firstname|lastname|fullname|surname|givenname|familyname|username|gender|age)$/;

/** Names of the fields that have a value; of a list the first items stand for all. */
const fieldNames = (json: unknown): Set<string> =>
  new Set(
    [...walk(json, { depth: 5, items: 3, values: 1_500 })]
      .filter(
        ({ key, value, parent }) =>
          key !== "" && !Array.isArray(parent?.value) && value !== null && value !== "",
      )
      .map(({ key }) => key),
  );

/** Rows that are examined. */
const MAX_ROWS = 50;

/** How many rows of a list contain personal data, and of which classes. */
export interface PersonalRows {
  readonly rows: number;
  /** Classes that are never public, such as `date of birth`. */
  readonly intimate: readonly string[];
  /** What makes it possible to reach a person: `name`, `e-mail address`, `telephone number`. */
  readonly contact: readonly string[];
}

/**
 * Classes of personal data that at least two rows (or `min`) of a response's list have, each with another value. The name of a
 * field and its value must agree; role mailboxes do not count.
 */
export function personalRows(json: unknown, min: number = 2): PersonalRows {
  const rows = (rowsOf(json) ?? []).slice(0, MAX_ROWS);
  const values = new Map<PersonalClass, Set<string>>();
  for (const row of rows) {
    const fields = valuesIn(row);
    if (isPublished(fields.map(({ name }) => lettersOf(name)))) continue;
    const isOfPerson = fields.some(({ name }) => OF_PERSON.test(lettersOf(name)));
    // A shop also has a name, a number and a position.
    if (!isOfPerson && fields.some(({ name, value }) => classOf(name, value)?.label === "position")) continue;
    for (const { name, value } of fields) {
      const known = classOf(name, value);
      if (known) values.set(known, (values.get(known) ?? new Set()).add(String(value)));
    }
  }
  const frequent = CLASSES.filter((each) => (values.get(each)?.size ?? 0) >= min);
  // A birthday with only a name is a public figure's, and a medication without a patient is a product.
  const ofPeople = frequent.some(
    ({ label }) => !ALONE.has(label) && label !== "name" && label !== "user name",
  );
  const seen = frequent.filter(({ label }) => ofPeople || !ALONE.has(label));
  const named = (isIntimate: boolean) =>
    seen.filter((each) => each.intimate === isIntimate).map(({ label }) => label);
  return {
    rows: Math.max(0, ...seen.map((each) => values.get(each)!.size)),
    intimate: named(true),
    contact: named(false),
  };
}

const OF_PERSON =
  /^(firstname|lastname|fullname|surname|username|userid|driver\w*|patient\w*|ownername|customername)$/;
const ALONE = new Set(["date of birth", "diagnosis", "position", "device identifier"]);

/** True for shops and offices, and for public figures. */
const isPublished = (names: readonly string[]): boolean =>
  names.some((name) => PLACE.test(name)) || names.some((name) => FAME.test(name));
const PLACE =
  /^(openinghours|businesshours|storehours|storeid|storenumber|storename|branchcode|shopid|shopname)$/;
const FAME =
  /^(biography|knownfor|deathdate|dateofdeath|deathday|died|deathyear|placeofbirth|nobelprizes?|filmography|discography|wikipedia\w*|wikidata\w*|imdbid)$/;

function classOf(name: string, value: unknown): PersonalClass | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const plain = lettersOf(name);
  return CLASSES.find((each) => each.name.test(plain) && each.value.test(String(value)));
}

interface PersonalClass {
  readonly label: string;
  readonly intimate: boolean;
  readonly name: RegExp;
  readonly value: RegExp;
}

const intimate = (label: string, name: RegExp, value: RegExp): PersonalClass => ({
  label,
  intimate: true,
  name,
  value,
});
const contact = (label: string, name: RegExp, value: RegExp): PersonalClass => ({
  label,
  intimate: false,
  name,
  value,
});

const CLASSES: readonly PersonalClass[] = [
  intimate(
    "identity number",
    /^(ssn|socialsecurity(number|no)?|nationalid(number)?|taxid|passport(number|no)?|nhsnumber)$/,
    /^(?=(?:\D*\d){5})[A-Z\d][A-Z\d -]{5,18}$/i,
  ),
  intimate(
    "date of birth",
    /^(dateofbirth|birthdate|birthday|dob)$/,
    /^(\d{4}-\d\d-\d\d|\d\d?[./]\d\d?[./]\d{4})/,
  ),
  intimate("bank account", /^(iban|bankaccount|accountnumber)$/, /^[A-Z]{2}\d\d[A-Z\d ]{10,32}$/),
  intimate("card number", /^(credit|debit)?card(number|no)?$|^creditcard$/, /^\d[\d -]{11,21}\d$/),
  intimate("diagnosis", /^(diagnos[ie]s|medicalhistory|medication|prescription|bloodtype)$/, /\S/),
  intimate("home address", /^(homeaddress|streetaddress|residentialaddress)$/, /\d/),
  intimate("position", /^(lat|latitude|lon|lng|long|longitude)$/, /^-?\d{1,3}\.\d{3,}$/),
  intimate(
    "device identifier",
    /^(imei|imsi|meid|androidid|idfa|advertisingid|macaddress|deviceid|deviceserial(number)?|vin)$/,
    /^(?=(?:\D*\d){4})[A-Z\d][A-Z\d:-]{7,40}$/i,
  ),
  contact(
    "e-mail address",
    /^(\w*email(address)?|mail)$/,
    /^(?!(info|contact|support|hello|sales|office|admin|noreply|no-reply|press|help)@)[^\s@]{1,64}@[\w-]+(\.[\w-]+)+$/i,
  ),
  contact("telephone number", /^(\w*phone(number)?|mobile(number)?|cell)$/, /^\+?[\d ()./-]{7,20}$/),
  contact("user name", /^(user_?name|login|loginname|nickname|handle)$/, /^[\w.@-]{2,64}$/),
  contact(
    "name",
    /^(fullname|firstname|lastname|surname|givenname|familyname|name)$/,
    /^\p{Lu}[\p{L}'.-]+( \p{L}[\p{L}'.-]*)*$/u,
  ),
];
