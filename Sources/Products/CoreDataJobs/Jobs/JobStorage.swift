/// What changes of a job; its lock guards all of it.
struct JobStorage {
    typealias Handler = @Sendable (JobSnapshot) -> Void

    var snapshot: JobSnapshot
    var throttle: PublicationThrottle
    var prerequisites: [Job]
    /// What the job does; nil once it has ended, so that an ended job keeps nothing of what its work needed.
    private(set) var work: Job.Work?
    var parking = Parking()
    /// Whether it was given to a queue or run.
    var isUsed = false
    /// Whether its work was called.
    var hasBegun = false
    /// The operation that will run it, while one is in the queue.
    var operation: JobOperation?
    /// The task of asynchronous work.
    var task: Task<Void, Never>?
    var queue: JobScheduling?
    private var observers: [Int: Handler] = [:]
    private var endHandlers: [Handler] = []
    private var count = 0
    private var isConcluded = false
    /// Operations that wait for this job: Foundation's do not keep those that depend on them.
    private var dependents: [JobOperation] = []

    init(_ snapshot: JobSnapshot, interval: Duration, prerequisites: [Job], work: Job.Work) {
        (self.snapshot, self.prerequisites, self.work) = (snapshot, prerequisites, work)
        throttle = PublicationThrottle(interval: interval)
    }

    var handlers: [Handler] { observers.sorted { $0.key < $1.key }.map(\.value) }

    mutating func addObserver(_ handler: @escaping Handler) -> Int {
        count += 1
        observers[count] = handler
        return count
    }

    mutating func removeObserver(_ number: Int) { observers[number] = nil }

    /// Adds what is called when the job has ended and nothing of it is left to do; false if that has come.
    mutating func addEndHandler(_ handler: @escaping Handler) -> Bool {
        guard !isConcluded else { return false }
        endHandlers.append(handler)
        return true
    }

    mutating func addDependent(_ operation: JobOperation) {
        if !isConcluded { dependents.append(operation) }
    }

    /// Lets go of what an ended job needs no more.
    mutating func release() {
        (observers, prerequisites) = ([:], [])
        (operation, task, queue) = (nil, nil, nil)
    }

    /// Notes that nothing of the job is left to do, and takes what is called then, the operations that wait for it, and
    /// its work, which is released without the lock: that may remove files, or call the job.
    mutating func conclude() -> (handlers: [Handler], dependents: [JobOperation], work: Job.Work?) {
        isConcluded = true
        defer { (endHandlers, dependents, work) = ([], [], nil) }
        return (endHandlers, dependents, work)
    }

    /// Adds to the units done, which stay between 0 and the greatest number.
    mutating func advance(by units: Int64) {
        let (sum, isOver) = snapshot.completedUnitCount.addingReportingOverflow(units)
        snapshot.completedUnitCount = isOver ? (units > 0 ? .max : 0) : max(0, sum)
    }
}
