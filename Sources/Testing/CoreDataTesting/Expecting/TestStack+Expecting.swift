import CoreData

/// Expectations on what a block asks of the store.
extension TestStack {
    /// Runs a block and reports a failure, with the list of statements and faults, if the numbers are others.
    ///
    ///     try stack.expect(statements: 1, faults: 0) {
    ///         for hero in try stack.context.fetch(request) { _ = hero.team?.name }
    ///     }
    ///
    /// Works in tests of Swift Testing and of XCTest. What is not stated may be any number. See `StoreActivity` for
    /// what is counted; a store in memory has no statements.
    ///
    /// - Throws: what the block throws; then nothing is compared.
    @discardableResult
    public func expect<Result>(
        statements: Int? = nil, faults: Int? = nil, saves: Int? = nil, changes: Int? = nil,
        fileID: String = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ body: () throws -> Result
    ) rethrows -> Result {
        let counts = ActivityCounts(
            statements: statements, faults: faults, saves: saves, changes: changes)
        let (activity, result) = try container.persistentStoreCoordinator.activity(of: body)
        FailurePlace(fileID: fileID, filePath: filePath, line: line, column: column).compare(counts, activity)
        return result
    }

    /// Runs an asynchronous block, as the other function of this name.
    @discardableResult
    public func expect<Result>(
        statements: Int? = nil, faults: Int? = nil, saves: Int? = nil, changes: Int? = nil,
        fileID: String = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        let counts = ActivityCounts(
            statements: statements, faults: faults, saves: saves, changes: changes)
        let (activity, result) = try await container.persistentStoreCoordinator.activity(of: body)
        FailurePlace(fileID: fileID, filePath: filePath, line: line, column: column).compare(counts, activity)
        return result
    }

    /// What a block does with the store.
    ///
    /// - Throws: what the block throws.
    public func activity(of body: () throws -> Void) rethrows -> StoreActivity {
        try container.persistentStoreCoordinator.activity(of: body).activity
    }
}

extension FailurePlace {
    func compare(_ counts: ActivityCounts, _ activity: StoreActivity) {
        let differences = counts.differences(from: activity)
        guard !differences.isEmpty else { return }
        let listing = activity.listing
        fail(differences.joined(separator: ", ") + (listing.isEmpty ? "" : "\n" + listing))
    }
}
