/// Days in UTC by their numbers: 0 is 2001-01-01, -1 the day before.
package enum CalendarDay {
    /// The number of the day of a time in seconds since 2001-01-01; nil for NaN. As in SQL, times that 64 bits of
    /// seconds cannot hold are on the first or last day that these hold.
    package static func number(of time: Double) -> Int64? {
        guard !time.isNaN else { return nil }
        let whole = Int64(exactly: time.rounded(.down)) ?? (time < 0 ? .min : .max)
        return whole / 86_400 - (whole % 86_400 < 0 ? 1 : 0)
    }
}
