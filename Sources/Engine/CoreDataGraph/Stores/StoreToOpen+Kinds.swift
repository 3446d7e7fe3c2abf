import CoreDataStore

extension StoreToOpen {
    /// Makes the description of a store by its type.
    ///
    /// - Throws: `NSPersistentStoreInvalidTypeError` for a type that the program does not have.
    package init(
        _ url: URL, type: String, configuration: String?, options: [AnyHashable: Any], model: NSManagedObjectModel
    ) throws {
        self.init(
            storeClass: try StoreTypeRegistry.storeClass(ofType: type), type: type, url: url,
            configuration: configuration, options: options, model: model)
    }
}
