import Foundation

/// A store of the program's own as its container sees it. Each call waits until no other thread uses the store.
protocol OwnStore {
    func erase() throws
    /// The transactions that a descriptor describes; nil if the store keeps none of that type.
    func fetchHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T]?
    /// Deletes the transactions that a descriptor describes; false if the store keeps none of that type.
    func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> Bool
}

extension ModelContainer {
    /// The transactions of a type in the histories of one's own stores.
    func ownHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T] {
        let histories = try ownStores.compactMap { try $0.fetchHistory(descriptor) }
        guard !histories.isEmpty else { throw noHistory(T.self) }
        guard histories.count > 1 else { return histories[0] }
        let all = histories.joined()
        let sorted =
            descriptor.sortBy.isEmpty
            ? all.sorted { $0.timestamp < $1.timestamp } : all.sorted(using: descriptor.sortBy)
        return descriptor.fetchLimit > 0 ? Array(sorted.prefix(Int(clamping: descriptor.fetchLimit))) : sorted
    }

    /// Deletes transactions of a type from the histories of one's own stores.
    func deleteOwnHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws {
        let deleted = try ownStores.map { try $0.deleteHistory(descriptor) }
        guard deleted.contains(true) else { throw noHistory(T.self) }
    }

    private func noHistory<T>(_ type: T.Type) -> SwiftDataError {
        SwiftDataError.invalidTransactionFetchRequest.stating(
            "No store of the container is a HistoryProviding with transactions of \(T.self).")
    }
}
