import CoreData

/// The lists of one store.
struct StoreLists: Sendable {
    let store: BrowsedStore
    let orders: ListOrders

    var version: StoreVersion { store.opened.version }

    /// The order that is at hand for a question.
    func known(_ question: ListQuestion, token: String?) -> ListOrder? {
        orders.known(question, version, token: token)
    }

    /// The order of a question, made where it is not at hand.
    ///
    /// - Throws: `InspectionError`, what the store throws, and `CancellationError`.
    func order(_ question: ListQuestion, token: String? = nil) async throws -> ListOrder {
        let (store, version) = (store, version)
        return try await orders.order(question, version, token: token) { token in
            try await store.read { try ListOrder(question, version, token: token, $0) }
        }
    }
}
