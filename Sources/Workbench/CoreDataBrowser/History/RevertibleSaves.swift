import CoreData

/// Which transactions of a store's history can be reverted: those whose old values are stored.
enum RevertibleSaves {
    /// Whether a store records old values; nil if that is not known.
    static func keepsOldValues(_ store: NSPersistentStore) -> Bool? { raw(store)?.hasOldValues }

    /// Adds `"revertible"` to each transaction; it is true where that is not known.
    static func marked(_ transactions: [JSONValue], in store: NSPersistentStore) -> [JSONValue] {
        let numbers = transactions.compactMap(number)
        guard let least = numbers.min(), let greatest = numbers.max() else { return transactions }
        let kept = try? raw(store)?.transactionsWithOldValues(in: least...greatest)
        return transactions.map { transaction in
            guard case .members(let members) = transaction else { return transaction }
            let isKept = number(transaction).map { kept?.contains($0) ?? true } ?? true
            return .members(members + [.init(key: "revertible", value: .bool(isKept))])
        }
    }

    private static func number(_ transaction: JSONValue) -> Int64? {
        guard case .integer(let number)? = JSONParts(transaction)["id"] else { return nil }
        return number
    }

    private static func raw(_ store: NSPersistentStore) -> RawStore? {
        guard store.type == NSSQLiteStoreType, let url = store.url, url.isFileURL else { return nil }
        return try? RawStore(at: url)
    }
}
