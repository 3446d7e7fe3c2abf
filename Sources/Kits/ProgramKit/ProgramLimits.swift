/// What a child process may use at most. The system enforces all but the time that passes and the output, which `ProgramRun` counts.
package struct ProgramLimits: Sendable {
    /// The seconds that may pass until the program has ended.
    package var seconds: Double
    /// The seconds of processor time, of all threads together.
    package var processorSeconds: Int
    /// The bytes of address space.
    package var memory: Int
    /// The bytes of standard output; of standard error at most 64 KiB are kept.
    package var output: Int
    /// The bytes of each file that the program writes.
    package var fileSize: Int

    package init(
        seconds: Double = 30, processorSeconds: Int = 30, memory: Int = 2 << 30, output: Int = 64 << 20,
        fileSize: Int = 1 << 30
    ) {
        self.seconds = seconds
        self.processorSeconds = processorSeconds
        self.memory = memory
        self.output = output
        self.fileSize = fileSize
    }
}
