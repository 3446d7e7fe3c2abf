import CoreData
import StoreContract

/// Says of a folder after an interrupted operation whether it is as it was before, as it was to be, or neither.
struct Judge {
    let place: Workplace
    private let operation: Operation
    private let former: Verdict
    private let new: Verdict
    private let answer: String
    private let names: Set<String>
    /// Whether a file that was being made may lie there: after a kill nobody can tell it from one that is being made.
    private let allowsDrafts: Bool

    /// Prepares the operation, and carries it out once without a disturbance.
    init(_ operation: Operation, allowsDrafts: Bool = false) throws {
        (self.operation, self.allowsDrafts) = (operation, allowsDrafts)
        place = try Workplace(operation)
        former = try Verdict(place.url, models: operation.models())
        try place.reset()
        answer = try operation.run(place.url)
        new = try Verdict(place.url, models: operation.models())
        names = try place.names()
        guard former.faults.isEmpty, new.faults.isEmpty else {
            throw Failure("\(operation.name) leaves faults: \(former.faults) \(new.faults)")
        }
    }

    /// Judges after an operation that gave an answer, or an error, whatever failed in it.
    func report(_ result: Result<String, any Error>) throws -> TrialReport {
        switch result {
        case .success(let answer):
            guard answer == self.answer else { return TrialReport(.lost, "wrong answer: \(answer.prefix(300))") }
        case .failure(let error):
            // A pattern `let error as NSError` takes no error that is a value.
            let domain = (error as NSError).domain
            guard domain == NSCocoaErrorDomain || domain == NSSQLiteErrorDomain else {
                return TrialReport(.unclear, "\(error)")
            }
        }
        if case .success = result { return try report(mustBeNew: true, "") }
        return try report(mustBeNew: false, "\(result)")
    }

    /// Judges what is there now; an operation that was not carried out is carried out after all.
    func report(mustBeNew: Bool, _ told: String) throws -> TrialReport {
        let found = try Verdict(place.url, models: operation.models())
        guard found.faults.isEmpty else { return TrialReport(.lost, "\(found.faults); \(told)") }
        if found.content == new.content, mustBeNew || new.content != former.content { return try clean(.new) }
        guard found.content == former.content, !mustBeNew else {
            let expected = Set(mustBeNew ? new.content : former.content)
            let others = found.content.filter { !expected.contains($0) }
            return TrialReport(.lost, "\(found.content.count) lines, not expected: \(others.prefix(2)); \(told)")
        }
        do {
            let answer = try operation.run(place.url)
            guard answer == self.answer else { return TrialReport(.lost, "wrong answer afterwards: \(answer)") }
        } catch {
            return TrialReport(.lost, "it does not succeed afterwards: \(error); \(told)")
        }
        guard try Verdict(place.url, models: operation.models()) == new else {
            return TrialReport(.lost, "not as it should be afterwards; \(told)")
        }
        return try clean(.former)
    }

    private static func isDraft(_ name: String) -> Bool {
        name.hasPrefix(".") && (name.contains(".creating") || name.contains(".migrating"))
    }

    /// Nothing lies in the folder that an undisturbed operation would not have left.
    private func clean(_ outcome: TrialOutcome) throws -> TrialReport {
        let strangers = try place.names().subtracting(names).filter { !allowsDrafts || !Self.isDraft($0) }
        return strangers.isEmpty ? TrialReport(outcome) : TrialReport(.unclear, "left behind: \(strangers.sorted())")
    }
}
