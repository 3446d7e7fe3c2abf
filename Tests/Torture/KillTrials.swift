import CoreData
import StoreContract
import TestBasics

/// Carries an operation out in a process that is killed in the middle of it, and judges what it leaves.
struct KillTrials {
    private let operation: Operation
    private let judge: Judge
    private let seed: UInt64

    init(_ operation: Operation, seed: UInt64) throws {
        (self.operation, self.seed) = (operation, seed)
        judge = try Judge(operation, allowsDrafts: true)
    }

    /// Ends the process at the n-th system call that writes; nil where the operation does not make so many.
    ///
    /// Every third process is followed by one that ends while it recovers what the first has left.
    func kill(at number: Int) throws -> TrialReport? {
        try judge.place.reset()
        let first = try child(call: number)
        let isDone = first.lines().last == "done"
        guard first.status() == -Int(SIGKILL) else {
            guard isDone else { throw Failure("the process ended by itself before call \(number)") }
            return nil
        }
        // A batch that the first process inserted before it ended would rightly be there twice.
        guard number % 3 == 0, operation.name != "insert a batch" else {
            return try judge.report(mustBeNew: isDone, "call \(number)")
        }
        let second = try child(call: 1 + number / 2)
        let isSecondDone = second.lines().last == "done"
        _ = second.status()
        return try judge.report(mustBeNew: isSecondDone, "call \(number), and then call \(1 + number / 2)")
    }

    /// Kills the process at a moment that seed and number decide.
    func killAtMoment(_ number: Int) throws -> TrialReport {
        try judge.place.reset()
        var random = SeededRandom(seed: seed &* 1_000_003 &+ UInt64(number))
        let child = try child(call: 0)
        usleep(UInt32(random.next(below: 250_000)))
        child.kill()
        return try judge.report(mustBeNew: child.lines().last == "done", "a kill at a moment")
    }

    private func child(call: Int) throws -> Child {
        try Child(
            ["operate", operation.name, judge.place.url.path, "\(call)"], of: Child.url("Torture"),
            errors: FileHandle.nullDevice)
    }
}
