import CoreData

/// Removes chosen differences of two stores by changing one of the stores, in one save: all of them, or none.
struct DifferenceCopy: Sendable {
    /// The number of refused differences that an answer lists with the reason.
    private static let shownRefusals = 100

    let kept: KeptComparison
    let choice: DifferenceList.Choice
    /// Whether the left store is changed to match the right one, rather than the right to match the left.
    let isToLeft: Bool
    let isDryRun: Bool

    /// Reads `{"comparison", "to", "numbers" or "all": {"entity", "kind"}, "dryRun"}`.
    ///
    /// - Throws: `BrowserFailure` 404 for a comparison that is no longer retained, 422 for invalid JSON and for an
    ///   empty choice.
    init(_ json: JSONValue, in comparisons: ComparisonRegistry) throws {
        let parts = JSONParts(json)
        guard let kept = comparisons.kept(try parts.text("comparison")) else {
            throw BrowserFailure(
                404, code: "unknownComparison", reason: "the comparison is not kept any more",
                hint: "compare the stores again")
        }
        self.kept = kept
        switch try parts.text("to") {
        case "left": isToLeft = true
        case "right": isToLeft = false
        default: throw JSONParts.missing("to")
        }
        isDryRun = try parts.flag("dryRun")
        if let all = parts["all"] {
            choice = .all(try DifferenceList.Filter(JSONParts(all).optionalText))
        } else {
            choice = .numbers(Set(try parts.list("numbers").map { try JSONParts.number($0, "numbers") }))
        }
        guard try kept.count(choice) > 0 else {
            throw BrowserFailure(
                422, code: "badStep", reason: "no difference is chosen", hint: "choose some by 'numbers' or 'all'")
        }
    }

    /// Compares the stores again and copies the chosen differences; gives `{"inserted", "updated", "deleted", "saved",
    /// "refused"}`.
    ///
    /// - Throws: `BrowserFailure`: 409 if a chosen difference is no longer as it was when the stores were compared, 422
    ///   if the model forbids one. Nothing is changed then.
    func run(from source: StoreFileAccess, to target: StoreFileAccess, author: String) throws -> JSONValue {
        let (one, other) = (try source.opened(for: .exporting), try target.opened(for: .importing))
        defer {
            one.close()
            other.close()
        }
        other.author = author
        let question = isToLeft ? kept.question.reversed : kept.question
        let alignment = try StoreAlignment(
            one, right: other, comparison: question.comparison(one, other), mode: isDryRun ? .dryRun : .save)
        var (found, changed, refused, count) = (0, 0, [JSONValue](), 0)
        let expected = try kept.count(choice)
        let done = try alignment.run(
            report: { _ in },
            chosen: { difference in
                let standing = try kept.standing(of: isToLeft ? difference.reversed : difference, choice)
                if standing == .chosen { found += 1 }
                if standing == .changed { changed += 1 }
                return standing == .chosen
            },
            compared: { _ in
                guard changed > 0 || found < expected else { return }
                throw BrowserFailure(
                    409, code: "changedSince",
                    reason:
                        "\(expected - found) of \(expected) chosen differences are not as they were when the stores were compared",
                    hint: "compare the stores again; nothing was changed")
            },
            refused: { record in
                count += 1
                guard count <= Self.shownRefusals else { return }
                refused.append(
                    .object([
                        ("object", .text(record.object)), ("reason", .string(PrintableText.escaped(record.reason))),
                    ]))
            })
        guard isDryRun || count == 0 else {
            throw BrowserFailure(
                422, code: "problems", reason: "the model forbids \(count) of the chosen differences",
                hint: "nothing was changed; choose what they lead to as well, or leave them out",
                details: [.init(key: "refused", value: .array(refused))])
        }
        let total = done.report.total
        return .object([
            ("inserted", .count(total.inserted)), ("updated", .count(total.updated)), ("deleted", .count(done.deleted)),
            ("saved", .bool(!isDryRun)), ("refused", .array(refused)),
        ])
    }
}
