import CoreDataFoundation

/// Texts for values of a model, the same for equal values whatever form of the model they were read from.
enum FactText {
    /// The text; nil if it is empty.
    static func text(_ text: String?) -> String? { text?.isEmpty == false ? text : nil }

    static func list(_ texts: [String]) -> String? { texts.isEmpty ? nil : texts.joined(separator: "; ") }

    static func pairs(_ values: [AnyHashable: Any]?) -> String? {
        list((values ?? [:]).map { "\($0.key.base) = \(value($0.value) ?? "")" }.sorted())
    }

    /// The text of a default value; of dates with seconds and of data in Base64, since their descriptions are not
    /// exact.
    static func value(_ value: Any?) -> String? {
        switch value {
        case nil: nil
        case let date as Date: "\(ISO8601DateFormatter().string(from: date)) (\(date.timeIntervalSinceReferenceDate))"
        case let data as Data: data.base64EncodedString()
        case let values as [AnyHashable: Any]: pairs(values) ?? "{}"
        case let value?: "\(value)"
        }
    }

    /// A predicate as the printer writes it, or unchanged if it does not parse.
    static func predicate(_ format: String?) -> String? {
        text(format).map { text in (try? NSPredicate(parsing: text))?.formatString ?? text }
    }

    static func fetch(_ template: FetchRequestTemplate) -> String {
        let keys = template.sortKeys.map { "\($0.ascending ? "" : "-")\($0.key)\($0.selector.map { " \($0)" } ?? "")" }
        var words = [template.entityName ?? "?"]
        if let format = predicate(template.predicateFormat) { words.append("where \(format)") }
        if template.hasUnreadablePredicate { words.append("where something that no format expresses") }
        if let order = list(keys) { words.append("sorted by \(order)") }
        let numbers = [
            ("limit", template.fetchLimit), ("offset", template.fetchOffset), ("batches of", template.fetchBatchSize),
            ("result type", template.resultType),
        ]
        words += numbers.filter { $0.1 != 0 }.map { "\($0) \($1)" }
        let flags = [
            (!template.includesSubentities, "without sub-entities"), (template.returnsDistinctResults, "distinct"),
            (!template.includesPropertyValues, "without values"), (!template.returnsObjectsAsFaults, "filled"),
            (!template.includesPendingChanges, "as saved"),
        ]
        return (words + flags.filter(\.0).map(\.1)).joined(separator: ", ")
    }

    static func rule(_ rule: ValidationRule) -> String {
        let check =
            switch rule.check {
            case .minimum(let limit): "at least \(limit)"
            case .maximum(let limit): "at most \(limit)"
            case .earliest(let limit): "from \(value(limit) ?? "")"
            case .latest(let limit): "until \(value(limit) ?? "")"
            case .minimumLength(let limit): "at least \(limit) long"
            case .maximumLength(let limit): "at most \(limit) long"
            case .pattern(let pattern): "matches \(pattern)"
            case .predicate(let format): predicate(format) ?? ""
            }
        return rule.warning.map { "\(check) (else \($0))" } ?? check
    }

    /// The elements of a composite, nested ones in parentheses.
    static func elements(of composite: NSCompositeAttributeDescription, depth: Int = 0) -> String {
        guard depth < NSEntityDescription.greatestDepth else { return "…" }
        return composite.elements.sorted { $0.name.precedesInBytes($1.name) }.map { element in
            guard let inner = element as? NSCompositeAttributeDescription else {
                return "\(element.name) \(element.attributeType.text)\(element.isOptional ? "" : " required")"
            }
            return "\(inner.name) (\(elements(of: inner, depth: depth + 1)))"
        }.joined(separator: ", ")
    }
}
