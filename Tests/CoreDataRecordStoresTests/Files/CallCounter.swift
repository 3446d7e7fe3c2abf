import Synchronization

@testable import CoreDataRecordStores

/// Counts the calls of the system that a store makes, and lets one of them fail.
final class CallCounter: Sendable {
    private struct State {
        var calls = 0
        var steps: [FileOperations.Step: Int] = [:]
        var isArmed = false
    }

    private let failing: Int?
    private let state = Mutex(State())

    init(failing: Int? = nil) { self.failing = failing }

    var isArmed: Bool {
        get { state.withLock { $0.isArmed } }
        set { state.withLock { $0.isArmed = newValue } }
    }

    var calls: Int { state.withLock { $0.calls } }

    func count(_ step: FileOperations.Step) -> Int { state.withLock { $0.steps[step] ?? 0 } }

    var operations: FileOperations {
        FileOperations { step in
            self.state.withLock { state in
                state.steps[step, default: 0] += 1
                guard state.isArmed else { return nil }
                defer { state.calls += 1 }
                return state.calls == self.failing ? EIO : nil
            }
        }
    }
}
