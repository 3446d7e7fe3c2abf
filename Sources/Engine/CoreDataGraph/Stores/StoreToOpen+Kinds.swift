import CoreDataStore

extension StoreToOpen {
    /// A store of a kind that the program has.
    ///
    /// - Throws: `NSPersistentStoreInvalidTypeError` for a kind that it does not have.
    package init(
        _ url: URL, type: String, configuration: String?, options: [AnyHashable: Any], model: NSManagedObjectModel
    ) throws {
        self.init(
            storeClass: try StoreTypeRegistry.storeClass(ofType: type), type: type, url: url,
            configuration: configuration, options: options, model: model)
    }
}
