import CoreDataModeling

/// Lines about what goes on that nobody asked for, such as a class that was not found.
package enum Diagnostics {
    /// Writes one line to standard error; nobody can be told where that is closed or full.
    package static func report(_ message: String) {
        // The form of `write` that does not throw stops the program instead.
        try? FileHandle.standardError.write(contentsOf: Data((message + "\n").utf8))
    }
}
