/// How many units are done in a second, by what was done in the last while, and how long the rest will take at that rate.
package struct RateEstimate {
    /// What is older than this does not count.
    static let window = Duration.seconds(15)
    /// The least time between two samples.
    private static let spacing = Duration.milliseconds(250)
    /// Before so much time has passed there is no rate.
    private static let least = Duration.seconds(1)

    private var samples: [(time: Duration, completed: Int64)] = []

    package init() {}

    /// Notes how many units are done.
    package mutating func add(_ completed: Int64, at time: Duration) {
        // Work that begins again has a rate of its own.
        if let last = samples.last, completed < last.completed || time < last.time { samples = [] }
        if let last = samples.last, last.time == time { samples.removeLast() }
        if samples.count > 1, time - samples[samples.count - 2].time < Self.spacing { samples.removeLast() }
        samples.append((time, completed))
        // The newest of the samples that are as old as the window stays: with it the time spanned is the window at least.
        while samples.count > 2, time - samples[1].time >= Self.window { samples.removeFirst() }
    }

    /// Units a second; nil while too little is known.
    package var rate: Double? {
        guard let first = samples.first, let last = samples.last, last.time - first.time >= Self.least else {
            return nil
        }
        return (Double(last.completed) - Double(first.completed)) / ((last.time - first.time) / .seconds(1))
    }

    /// The seconds that the rest takes; nil while that is not known, or would be more than a year.
    package func remaining(of total: Int64) -> Double? {
        guard let rate, rate > 0, let last = samples.last, total >= last.completed else { return nil }
        let seconds = (Double(total) - Double(last.completed)) / rate
        return seconds < 366 * 86_400 ? seconds : nil
    }
}
