import CoreDataStore

extension NSPersistentStoreCoordinator {
    /// The token of the current state of some stores; of all stores for nil or an empty array. Nil if none has a
    /// history.
    func newestToken(of stores: [Any]?) -> NSPersistentHistoryToken? {
        let wanted = stores ?? []
        var numbers: [String: Int64] = [:]
        for store in persistentStores {
            let isWanted = wanted.isEmpty || wanted.contains { $0 as AnyObject === store }
            guard isWanted, let history = store.keptHistory, let newest = try? history.newest() else { continue }
            numbers[store.identifier] = newest
        }
        return numbers.isEmpty ? nil : NSPersistentHistoryToken(numbers)
    }
}
