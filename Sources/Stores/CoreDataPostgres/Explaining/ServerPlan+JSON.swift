import CoreDataSQL

extension ServerPlan {
    private static let greatestDepth = 200

    /// Parses the output of `EXPLAIN (FORMAT JSON)`; the root is nil if the text is not a plan.
    init(json: String) {
        let value = try? JSONSerialization.jsonObject(with: Data(json.utf8))
        let plan = (value as? [[String: Any]])?.first?["Plan"] as? [String: Any]
        self.init(root: plan.map { Step(plan: $0, depth: 0) })
    }

    fileprivate static func isTooDeep(_ depth: Int) -> Bool { depth >= greatestDepth }
}

extension ServerPlan.Step {
    /// The keys of the numbers of rows that were filtered out, per execution of the step.
    private static let leftOut = [
        "Rows Removed by Filter", "Rows Removed by Index Recheck", "Rows Removed by Join Filter",
    ]

    fileprivate init(plan: [String: Any], depth: Int) {
        func number(_ key: String) -> Double? { (plan[key] as? NSNumber)?.doubleValue }
        let loops = number("Actual Loops") ?? 1
        let parts = ServerPlan.isTooDeep(depth) ? [] : plan["Plans"] as? [[String: Any]] ?? []
        let direction = (plan["Scan Direction"] as? String) == "Backward" ? " Backward" : ""
        self.init(
            kind: (plan["Node Type"] as? String ?? "?") + direction, table: plan["Relation Name"] as? String,
            index: plan["Index Name"] as? String,
            condition: (plan["Index Cond"] as? String).map(Self.condition), expected: number("Plan Rows") ?? 0,
            rows: number("Actual Rows").map { $0 * loops },
            leftOut: Self.leftOut.reduce(0) { $0 + (number($1) ?? 0) } * loops,
            parts: parts.map { Self(plan: $0, depth: depth + 1) })
    }

    /// Returns a condition without values and with abbreviated expressions of folded text indexes.
    private static func condition(_ text: String) -> String {
        let short = FoldedKey.abbreviated(condition: withoutValues(text))
        return short.count > 200 ? short.prefix(200) + "…" : short
    }

    /// Returns a condition with a question mark for each value, as the server's text contains the bound values.
    static func withoutValues(_ condition: String) -> String {
        var text = ""
        var rest = Substring(condition)
        while let character = rest.first {
            let isWord = { (character: Character) in character.isLetter || character.isNumber || character == "_" }
            if character == "'" || character == "\"" {
                // A doubled quote within the text is read as the end of one text and the beginning of another.
                let end = rest.dropFirst().firstIndex(of: character) ?? rest.indices.last ?? rest.startIndex
                if character == "\"" {
                    text += rest[...end]
                } else if !text.hasSuffix("?") {
                    text += "?"
                }
                rest = rest[rest.index(after: end)...]
            } else if isWord(character) {
                let word = rest.prefix(while: isWord)
                text += character.isNumber ? "?" : String(word)
                rest = rest.dropFirst(word.count)
            } else {
                text.append(character)
                rest.removeFirst()
            }
        }
        return text
    }
}
