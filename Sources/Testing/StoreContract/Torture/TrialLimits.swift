import CoreDataGraph

/// What a process of trials may take.
public struct TrialLimits: Sendable {
    /// How long one trial may last, on a busy machine.
    public var seconds: Int
    /// How many bytes of address space the process may have.
    public var memory: Int
    /// How long a file may become.
    public var fileSize: Int

    /// Makes limits; those that are left out suit stores of a few hundred kilobytes.
    public init(seconds: Int = 60, memory: Int = 2 << 30, fileSize: Int = 1 << 30) {
        (self.seconds, self.memory, self.fileSize) = (seconds, memory, fileSize)
    }

    /// Holds this process to the limits of memory and files; the time is watched by the process that started it.
    func apply() {
        set(Int32(RLIMIT_AS.rawValue), memory)
        set(Int32(RLIMIT_FSIZE.rawValue), fileSize)
        // A process that is meant to end badly leaves no image of its memory.
        set(Int32(RLIMIT_CORE.rawValue), 0)
    }

    private func set(_ resource: Int32, _ value: Int) {
        var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
        setrlimit(__rlimit_resource_t(UInt32(resource)), &limit)
    }
}
