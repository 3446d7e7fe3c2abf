import CoreData

extension TestStack {
    /// Runs a block and reports a failure if it does more than its budget in a file allows.
    ///
    ///     try stack.budget("list of heroes", in: .besideTest()) { try HeroList(stack.context).load() }
    ///
    /// With `OPENCOREDATA_BUDGETS=write` in the environment the budget becomes what was counted. Budgets are counts,
    /// which are the same on each machine. That less is done than the budget allows is not reported; write it again
    /// then.
    ///
    /// - Throws: `TestingError` with `badBudget` for a file that cannot be read, or has no such budget; what the block
    ///   throws.
    @discardableResult
    public func budget<Result>(
        _ name: String, in file: BudgetFile, fileID: String = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column, _ body: () throws -> Result
    ) throws -> Result {
        try budget(
            name, in: file, isWriting: ProcessInfo.processInfo.environment[BudgetFile.variable] == "write",
            FailurePlace(fileID: fileID, filePath: filePath, line: line, column: column), body)
    }

    func budget<Result>(
        _ name: String, in file: BudgetFile, isWriting: Bool, _ place: FailurePlace, _ body: () throws -> Result
    ) throws -> Result {
        let (activity, result) = try container.persistentStoreCoordinator.activity(of: body)
        let found = BudgetFile.Budget(activity)
        if isWriting {
            try file.set(found, for: name)
            return result
        }
        guard let limit = try file.budgets()[name] else {
            throw TestingError(
                .badBudget,
                "'\(file.url.path)' has no budget '\(name)': run the test once with "
                    + "\(BudgetFile.variable)=write and commit the file.")
        }
        let excess = found.excess(over: limit)
        if !excess.isEmpty {
            let listing = activity.listing
            place.fail("\(name): \(excess.joined(separator: "; "))" + (listing.isEmpty ? "" : "\n" + listing))
        }
        return result
    }
}
