import Foundation

/// The terminal of standard output.
package enum Terminal {
    /// The number of columns; nil if the output is not a terminal, so that lines have no limit.
    ///
    /// `COLUMNS` in the environment overrides the size that the terminal reports.
    package static var width: Int? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        if let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 {
            return max(columns, 20)
        }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return max(Int(size.ws_col), 20)
    }
}
