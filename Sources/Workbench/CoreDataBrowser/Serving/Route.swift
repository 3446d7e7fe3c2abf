/// A method and the form of a path, with names in braces: `GET /stores/{store}/entities/{entity}`.
package struct Route: Sendable {
    package let method: String
    let steps: [String]

    package init(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        method = parts[0]
        steps = parts[1].split(separator: "/").map(String.init)
    }

    /// The values of the names in braces for a path; nil if the path has another form. A last name that ends in `…`, as
    /// in `{path…}`, matches all further steps.
    package func parameters(of path: [String]) -> [String: String]? {
        var found: [String: String] = [:]
        for (index, step) in steps.enumerated() {
            guard index < path.count else { return nil }
            guard step.hasPrefix("{") else {
                guard step == path[index] else { return nil }
                continue
            }
            let name = String(step.dropFirst().dropLast())
            guard !name.hasSuffix("…") else {
                found[String(name.dropLast())] = path[index...].joined(separator: "/")
                return found
            }
            found[name] = path[index]
        }
        return path.count == steps.count ? found : nil
    }
}
