import CoreDataGraph

/// The resource limits of a process that runs trials.
public struct TrialLimits: Sendable {
    /// The maximum duration of one trial, in seconds.
    public var seconds: Int
    /// The maximum address space of the process, in bytes.
    public var memory: Int
    /// The maximum size of a file, in bytes.
    public var fileSize: Int

    /// Makes limits; those that are left out suit stores of a few hundred kilobytes.
    public init(seconds: Int = 60, memory: Int = 2 << 30, fileSize: Int = 1 << 30) {
        (self.seconds, self.memory, self.fileSize) = (seconds, memory, fileSize)
    }

    /// Sets the memory and file limits of this process; the process that started it enforces the time limit.
    func apply() {
        set(Int32(RLIMIT_AS.rawValue), memory)
        set(Int32(RLIMIT_FSIZE.rawValue), fileSize)
        // Crashes are expected, so core dumps are disabled.
        set(Int32(RLIMIT_CORE.rawValue), 0)
    }

    private func set(_ resource: Int32, _ value: Int) {
        var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
        setrlimit(__rlimit_resource_t(UInt32(resource)), &limit)
    }
}
