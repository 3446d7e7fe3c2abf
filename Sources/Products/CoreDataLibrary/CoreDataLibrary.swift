// What the product `CoreData` holds. The manifest gives this module the library everywhere but on Apple's platforms: there it
// stays empty, so that a package that depends on the product still finds Apple's framework under `import CoreData`.
#if !canImport(Darwin)
    @_exported import CoreData
#endif
