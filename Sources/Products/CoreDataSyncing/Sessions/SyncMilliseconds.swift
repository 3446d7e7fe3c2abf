import Foundation

extension Date {
    /// The date so many milliseconds after 1970, as near as a date can be to it: its text has three digits of fraction.
    init(syncMilliseconds milliseconds: UInt64) {
        // Dates count from 2001: seconds from 1970 would be rounded twice.
        self.init(timeIntervalSinceReferenceDate: (Double(milliseconds) - 978_307_200_000) / 1_000)
    }
}
