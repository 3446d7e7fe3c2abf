import CoreData

/// The path of a value in a property list: keys and array indexes, separated by periods; `\.` is a period within a key.
package struct PropertyListPath: Equatable, Sendable {
    /// The path as it was written.
    package let text: String
    let steps: [String]

    /// - Throws: `InspectionError` of code `unknownKey` for a path with an empty step.
    package init(_ text: String) throws {
        var (steps, step, isEscaped) = ([String](), "", false)
        for character in text {
            if isEscaped {
                step.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "." {
                steps.append(step)
                step = ""
            } else {
                step.append(character)
            }
        }
        steps.append(step)
        guard !isEscaped, !steps.contains("") else {
            throw InspectionError(
                .unknownKey, subject: PrintableText.escaped(text, limit: 80), cause: "this is not a path",
                hint: "it looks like key.0.key")
        }
        self.text = text
        self.steps = steps
    }

    /// A key escaped as a step of a path.
    static func step(_ key: String) -> String {
        key.replacing("\\", with: "\\\\").replacing(".", with: "\\.")
    }
}

extension PropertyList {
    /// The value at a path.
    ///
    /// - Throws: `InspectionError` of code `unknownKey` with the nearest key.
    package func value(at path: PropertyListPath) throws -> PropertyList {
        var value = self
        for step in path.steps {
            switch value {
            case .dictionary(let pairs):
                guard let next = pairs[step] else { throw Self.missing(step, path: path, keys: pairs.keys.sorted()) }
                value = next
            case .array(let elements):
                value = elements[try Self.place(step, in: elements.count, path)]
            default: throw Self.leaf(step, path)
            }
        }
        return value
    }

    /// Returns the list with the value at `steps` replaced or added, or removed if `new` is nil; errors name `path`.
    func replacing(
        _ steps: ArraySlice<String>, with new: PropertyList?, _ path: PropertyListPath
    ) throws -> PropertyList {
        guard let step = steps.first else { return new ?? self }
        let rest = steps.dropFirst()
        switch self {
        case .dictionary(var pairs):
            guard let present = pairs[step] else {
                guard rest.isEmpty else { throw Self.missing(step, path: path, keys: pairs.keys.sorted()) }
                pairs[step] = new
                return .dictionary(pairs)
            }
            pairs[step] = rest.isEmpty ? new : try present.replacing(rest, with: new, path)
            return .dictionary(pairs)
        case .array(var elements):
            if rest.isEmpty, let new, Int(step) == elements.count { return .array(elements + [new]) }
            let place = try Self.place(step, in: elements.count, path)
            if rest.isEmpty, new == nil {
                elements.remove(at: place)
            } else {
                elements[place] =
                    try rest.isEmpty ? new ?? elements[place] : elements[place].replacing(rest, with: new, path)
            }
            return .array(elements)
        default: throw Self.leaf(step, path)
        }
    }

    private static func place(_ step: String, in count: Int, _ path: PropertyListPath) throws -> Int {
        guard let place = Int(step), place >= 0, place < count else {
            throw InspectionError(
                .unknownKey, subject: PrintableText.escaped(path.text, limit: 80),
                cause: "'\(PrintableText.escaped(step, limit: 40))' is not a place in an array of \(count)")
        }
        return place
    }

    private static func missing(_ step: String, path: PropertyListPath, keys: [String]) -> InspectionError {
        let near = NameSuggestion(for: step, in: keys)
        return InspectionError(
            .unknownKey, subject: PrintableText.escaped(path.text, limit: 80),
            cause: "there is no key '\(PrintableText.escaped(step, limit: 40))'",
            hint: near?.question { "'\(PrintableText.escaped($0, limit: 80))'" })
    }

    private static func leaf(_ step: String, _ path: PropertyListPath) -> InspectionError {
        InspectionError(
            .unknownKey, subject: PrintableText.escaped(path.text, limit: 80),
            cause:
                "nothing can follow where '\(PrintableText.escaped(step, limit: 40))' stands: there is a single value")
    }

    /// Whether the list contains sets, which only keyed archives have.
    var hasSets: Bool {
        switch self {
        case .set: true
        case .array(let elements): elements.contains(where: \.hasSets)
        case .dictionary(let pairs): pairs.values.contains(where: \.hasSets)
        default: false
        }
    }
}
