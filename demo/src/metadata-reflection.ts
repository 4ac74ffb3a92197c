/**
 * The three functions of the Reflect metadata API that the dependency container of @peculiar/x509 needs when it is imported. Nothing
 * else in this package uses them.
 */
type Metadata = WeakMap<object, Map<unknown, unknown>>;
type MetadataReflection = {
  defineMetadata?: (key: unknown, value: unknown, target: object) => void;
  getOwnMetadata?: (key: unknown, target: object) => unknown;
  getMetadata?: (key: unknown, target: object) => unknown;
};

const reflection = Reflect as MetadataReflection;
if (!reflection.getMetadata) install(new WeakMap());

function install(store: Metadata): void {
  const own = (key: unknown, target: object) => store.get(target)?.get(key);
  reflection.defineMetadata = (key, value, target) => {
    store.set(target, (store.get(target) ?? new Map<unknown, unknown>()).set(key, value));
  };
  reflection.getOwnMetadata = own;
  reflection.getMetadata = (key, target) => {
    for (let at: object | null = target; at; at = Object.getPrototypeOf(at) as object | null) {
      const value = own(key, at);
      if (value !== undefined) return value;
    }
    return undefined;
  };
}
