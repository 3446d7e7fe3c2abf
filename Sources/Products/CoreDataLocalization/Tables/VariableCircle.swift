extension TextEntry {
    /// The names of variables that contain each other in a circle, or that lie deeper than `TextExpansion.deepest`; nil if none do.
    var circle: [String]? {
        let inner = variables.mapValues { variable in
            variable.variants.texts.flatMap { FormatString($0).variables }.filter { variables[$0] != nil }
        }
        // The depth of each variable whose circle was looked for, so that each is visited once.
        var depths: [String: Int] = [:]
        for name in variables.keys.sorted() {
            var path: [String] = []
            if let circle = Self.circle(name, inner, &depths, &path) { return circle }
        }
        return nil
    }

    /// Looks for a circle from a variable on; recurses at most `TextExpansion.deepest` deep.
    private static func circle(
        _ name: String, _ inner: [String: [String]], _ depths: inout [String: Int], _ path: inout [String]
    ) -> [String]? {
        if let depth = depths[name] { return path.count + depth > TextExpansion.deepest ? path + [name] : nil }
        guard !path.contains(name), path.count < TextExpansion.deepest else { return path + [name] }
        path.append(name)
        var depth = 1
        for next in inner[name] ?? [] {
            if let circle = circle(next, inner, &depths, &path) { return circle }
            depth = max(depth, (depths[next] ?? 0) + 1)
        }
        path.removeLast()
        depths[name] = depth
        return nil
    }
}
