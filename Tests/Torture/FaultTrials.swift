import CoreData
import StoreContract

/// Carries an operation out again and again, each time with a later call failing.
struct FaultTrials {
    private let operation: Operation
    private let kind: FaultKind
    private let judge: Judge

    init(_ operation: Operation, _ kind: FaultKind) throws {
        (self.operation, self.kind) = (operation, kind)
        judge = try Judge(operation)
    }

    /// Has the n-th call fail; nil where the operation does not make so many.
    func trial(_ number: Int) throws -> TrialReport? {
        try judge.place.reset()
        kind.arm(number)
        let result = Result { try operation.run(judge.place.url) }
        guard kind.disarm() else { return nil }
        return try judge.report(result)
    }
}
