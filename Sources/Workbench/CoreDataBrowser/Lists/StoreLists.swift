import CoreData

/// The lists of one store.
struct StoreLists: Sendable {
    let store: BrowsedStore
    let orders: ListOrderCache
    let access: BrowserAccess

    var version: StoreVersion { store.opened.version }

    /// The cached order of a question; nil if there is none.
    func known(_ question: ListQuestion, token: String?) -> ListOrder? {
        orders.known(limited(question), version, token: token)
    }

    /// The order of a question, which is made if it is not cached.
    ///
    /// - Throws: `InspectionError`, what the store throws, and `CancellationError`.
    func order(_ question: ListQuestion, token: String? = nil) async throws -> ListOrder {
        let (question, version) = (limited(question), version)
        return try await orders.order(question, version: version, token: token) { token in
            try await read { try ListOrder(question, version: version, token: token, reading: $0) }
        }
    }

    /// Runs `body` with a reading that is limited to what the user may see.
    func read<Result: Sendable>(_ body: @Sendable @escaping (StoreReading) throws -> Result) async throws -> Result {
        try await store.read(for: access, body)
    }

    private func limited(_ question: ListQuestion) -> ListQuestion {
        var question = question
        question.hidden = store.opened.shown(to: access).hidden
        return question
    }
}
