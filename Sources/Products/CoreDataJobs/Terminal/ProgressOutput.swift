import Foundation

/// Where a progress line is written.
public struct ProgressOutput: Sendable {
    /// Whether a line can be drawn again in its place.
    public let isTerminal: Bool
    /// The columns of a line, asked for each time since a window changes.
    public let width: @Sendable () -> Int
    /// Writes a text; errors are passed over.
    public let write: @Sendable (String) -> Void

    /// An output with its functions.
    public init(
        isTerminal: Bool, width: @escaping @Sendable () -> Int = { 80 }, write: @escaping @Sendable (String) -> Void
    ) {
        (self.isTerminal, self.width, self.write) = (isTerminal, width, write)
    }

    /// Standard error of the process.
    ///
    /// `COLUMNS` in the environment comes before the size that the terminal reports; without both it has 80 columns. A terminal
    /// whose `TERM` is `dumb` is not drawn on.
    public static let standardError = ProgressOutput(
        isTerminal: isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb",
        width: { columns(of: STDERR_FILENO) }, write: { writeAll($0, to: STDERR_FILENO) })

    private static func columns(of descriptor: Int32) -> Int {
        if let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 {
            return columns
        }
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    private static func writeAll(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = systemWrite(descriptor, rest)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
