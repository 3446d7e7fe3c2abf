import Foundation

/// What is at the other end of standard output.
enum Terminal {
    /// The number of columns to fill; nil if the output is not a terminal, and so is unbounded.
    ///
    /// `COLUMNS` in the environment goes before what the terminal says.
    static var width: Int? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        if let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 {
            return max(columns, 20)
        }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return max(Int(size.ws_col), 20)
    }
}
