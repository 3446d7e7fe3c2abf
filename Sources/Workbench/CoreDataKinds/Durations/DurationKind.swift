import CoreData

/// How long something takes: a number of seconds or of another unit, or a text of ISO 8601 such as `PT1H30M`.
///
/// The unit of numbers is the parameter `unit`, else the one that the attribute's name ends with, else the second.
struct DurationKind: ValueKind {
    let name = "duration"
    let summary = "how long something takes; parameter unit: \(DurationUnit.names)"
    let types: Set<AttributeKind> = [.integer16, .integer32, .integer64, .decimal, .double, .float, .string]

    private static let rule = GuessRule(
        words: ["duration", "elapsed", "runtime", "playtime", "seconds", "minutes", "hours", "milliseconds"],
        needsName: true)
    /// Values beyond a thousand years are no durations that people read.
    static let greatest = Decimal(31_557_600_000)

    func guesses(in entity: EntitySamples) -> [KindGuess] {
        entity.guesses(self, Self.rule) { value in
            if let text = value as? String { return DurationText.seconds(text) != nil }
            return KindValues.number(value).map { $0 >= 0 && $0 <= Self.greatest } ?? false
        } _: { use, attribute in
            if let unit = DurationUnit.allCases.first(where: { !$0.words.isDisjoint(with: attribute.words) }) {
                use.parameters["unit"] = unit.rawValue
            }
            return true
        }
    }

    func use(
        of attribute: KeyedAttribute, _ parameters: KindParameters, origin: KindUse.Origin
    ) throws -> KindUse {
        try requireType(of: attribute)
        var use = KindUse(kind: name, key: attribute.key, origin: origin)
        if let unit = parameters["unit"] {
            guard DurationUnit(rawValue: unit) != nil else {
                throw InspectionError(
                    .badValue, subject: attribute.key, cause: "there is no unit of durations '\(unit)'",
                    hint: "the units are \(DurationUnit.names)")
            }
            use.parameters["unit"] = unit
        }
        return use
    }

    func reading(_ values: KindValues, _ use: KindUse) -> KindReading {
        if let text = values.text(use.key) {
            guard let seconds = DurationText.seconds(text) else { return .none(text, "it is no duration") }
            return KindReading(DurationText.text(seconds))
        }
        guard let number = values.number(use.key), number.magnitude <= Self.greatest else {
            return .none("\(values[use.key] ?? "")", "it is no duration")
        }
        return KindReading(DurationText.text(number * unit(use).seconds))
    }

    func value(of text: String, for attribute: NSAttributeDescription, _ use: KindUse) throws -> Any? {
        guard let seconds = DurationText.seconds(text) ?? NumberEntry.number(text).map({ $0 * unit(use).seconds }),
            seconds.magnitude <= Self.greatest
        else {
            throw refused(attribute, "it is no duration", hint: "give one such as 1:30:00, 90 min, 1h 30m or PT1H30M")
        }
        let kind = AttributeKind(attribute)
        if kind == .string { return DurationText.isoText(seconds) }
        return try NumberEntry.value(seconds / unit(use).seconds, for: attribute)
    }

    private func unit(_ use: KindUse) -> DurationUnit { use.parameters["unit"].flatMap(DurationUnit.init) ?? .seconds }
}

/// The units of durations that are numbers.
enum DurationUnit: String, CaseIterable {
    case milliseconds, seconds, minutes, hours, days

    static let names = allCases.map(\.rawValue).joined(separator: ", ")

    var seconds: Decimal {
        switch self {
        case .milliseconds: Decimal(1) / 1_000
        case .seconds: 1
        case .minutes: 60
        case .hours: 3_600
        case .days: 86_400
        }
    }

    /// Words of names of attributes that say the unit.
    var words: Set<String> {
        switch self {
        case .milliseconds: ["milliseconds", "millis", "ms"]
        case .seconds: ["seconds", "secs", "sec"]
        case .minutes: ["minutes", "mins", "min"]
        case .hours: ["hours", "hrs"]
        case .days: ["days"]
        }
    }
}
