/// How many bytes are handed to the system at a time: what the network has lately taken within 10 milliseconds.
///
/// What the system holds is sent before a message that is written later, so a slow network is given little. A fast one is given
/// more, since each turn costs a system call and perhaps a change of threads.
struct WritePace: Sendable {
    private static let (least, most) = (32 << 10, 256 << 10)
    private static let interval = Duration.milliseconds(10)
    private var start = ContinuousClock.now
    private var bytes = 0
    private(set) var budget = Self.least

    /// Notes that bytes were written.
    mutating func note(_ count: Int) {
        bytes += count
        guard bytes >= Self.least else { return }
        let elapsed = ContinuousClock.now - start
        guard elapsed >= Self.interval else { return }
        let rate = Double(bytes) / (elapsed / Self.interval)
        budget = Int(min(max(rate, Double(Self.least)), Double(Self.most)))
        (start, bytes) = (.now, 0)
    }
}
