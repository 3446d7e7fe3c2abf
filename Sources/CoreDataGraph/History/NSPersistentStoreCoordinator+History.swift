import CoreDataStore

extension NSPersistentStoreCoordinator {
    /// The token of what is in the stores now: a request after it gives what is committed from here on.
    ///
    /// `stores` are some of the coordinator's stores; all of them if it is nil or empty. Those without a history are left
    /// out; nil where none has one or it cannot be read. A store without transactions has the number 0.
    public func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? {
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
