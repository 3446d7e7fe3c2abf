import Foundation

/// Names of functions as people read them.
enum FrameName {
    private typealias Demangle =
        @convention(c) (UnsafePointer<CChar>?, Int, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UInt32) ->
        UnsafeMutablePointer<CChar>?

    /// A line of `backtrace_symbols`, `path(symbol+0x12) [0x7f…]`, as `file symbol+0x12`, with a Swift symbol as it is declared.
    static func readable(_ line: String) -> String {
        guard let open = line.lastIndex(of: "("), let close = line[open...].lastIndex(of: ")") else { return line }
        let file = line[..<open].split(separator: "/").last ?? line[..<open]
        let place = line[line.index(after: open)..<close]
        guard let plus = place.lastIndex(of: "+") else { return "\(file) \(place)" }
        let symbol = String(place[..<plus])
        return "\(file) \(demangled(symbol) ?? symbol)\(place[plus...])"
    }

    private static func demangled(_ symbol: String) -> String? {
        guard symbol.hasPrefix("$s"), let function = dlsym(nil, "swift_demangle") else { return nil }
        let demangle = unsafeBitCast(function, to: Demangle.self)
        guard let text = demangle(symbol, symbol.utf8.count, nil, nil, 0) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }
}
