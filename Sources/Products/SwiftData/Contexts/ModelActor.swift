import CoreDataGraph
import Foundation

/// Runs jobs where a context may be used.
public protocol ModelExecutor: Executor {
    /// The context of the jobs.
    var modelContext: ModelContext { get }
}

/// Runs jobs one after the other, where a context may be used.
public protocol SerialModelExecutor: ModelExecutor, SerialExecutor {}

/// Runs jobs one after the other on a queue of its own, which is that of its context.
///
/// The context is used by the jobs alone: the one who makes the executor gives it away.
public final class DefaultSerialModelExecutor: SerialModelExecutor, @unchecked Sendable {
    public let modelContext: ModelContext
    private let queue = DispatchQueue(label: "SwiftData.ModelActor")

    /// Makes an executor for a context that nothing else uses.
    public init(modelContext: ModelContext) {
        self.modelContext = modelContext
        modelContext.autosaver.queue = queue
    }

    /// Runs a job on the queue of the context.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            job.runSynchronously(on: self.asUnownedSerialExecutor())
            let context = self.modelContext
            if context.autosaveEnabled || context.isObserved { context.processPendingChanges() }
        }
    }
}

/// An actor with a context of its own; `@ModelActor` makes the conformance.
public protocol ModelActor: Actor {
    /// The container of the actor's context.
    nonisolated var modelContainer: ModelContainer { get }
    /// What runs the actor's work on its context.
    nonisolated var modelExecutor: any ModelExecutor { get }
}

extension ModelActor {
    /// The context of the actor.
    public var modelContext: ModelContext { modelExecutor.modelContext }

    /// The model with an identifier; nil if it is of another class or no longer there.
    public subscript<T: PersistentModel>(identifier: PersistentIdentifier, as type: T.Type) -> T? {
        guard let objectID = identifier.objectID(in: modelContainer.coordinator),
            let record = try? modelContext.records.existingObject(with: objectID) as? ModelRecord
        else { return nil }
        return record.presentModel() as? T
    }
}

/// The executor in the form that the runtime wants; stops for one that does not run its jobs one after the other.
public func serialExecutor(of executor: any ModelExecutor) -> UnownedSerialExecutor {
    guard let serial = executor as? any SerialModelExecutor else {
        stop("The executor of a model actor has to be a SerialModelExecutor, and is a \(type(of: executor)).")
    }
    return serial.asUnownedSerialExecutor()
}
