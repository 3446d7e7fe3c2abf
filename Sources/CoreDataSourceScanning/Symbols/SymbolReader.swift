/// Finds the names of accessors in what the compiler prints of a skeleton.
enum SymbolReader {
    /// The symbols by the numbers of the accessors.
    static func symbols(in text: String) -> [Int: String] {
        var symbols: [Int: String] = [:]
        var function: Substring?
        for line in text.split(separator: "\n") {
            if line.hasPrefix("sil ") {
                function = name(in: line)
            } else if line.hasPrefix("}") {
                function = nil
            } else if let function, line.contains("function_ref @" + Skeleton.markerPrefix),
                let number = name(in: line).flatMap({ Int($0.dropFirst(Skeleton.markerPrefix.count)) })
            {
                symbols[number] = String(function)
            }
        }
        return symbols
    }

    /// What follows the `@` that begins a name.
    private static func name(in line: Substring) -> Substring? {
        guard let at = line.firstIndex(of: "@") else { return nil }
        return line[line.index(after: at)...].prefix { $0 != " " }
    }
}
