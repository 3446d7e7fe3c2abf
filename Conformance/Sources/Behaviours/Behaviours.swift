import CoreData
import Foundation

/// One thing that a program may see of the framework: a name, and what makes a text of it in a world of its own.
struct Behaviour: Sendable {
    let name: String
    let isFilled: Bool
    let run: @Sendable (World) throws -> String

    init(name: String, filled: Bool = true, run: @escaping @Sendable (World) throws -> String) {
        self.name = name
        isFilled = filled
        self.run = run
    }

    func outcome() throws -> String {
        let world = try World(filled: isFilled)
        // Objects do not keep their context.
        return try withExtendedLifetime(world) { try run(world) }
    }
}

/// All behaviours, and what came of each.
public enum Behaviours {
    private static let all: [Behaviour] =
        PredicateBehaviours.all + KeyPathBehaviours.all + ValidationBehaviours.all + RelationshipBehaviours.all
        + FetchBehaviours.all + ChangeBehaviours.all + ModelBehaviours.all

    /// The names, in the order of the report.
    public static var names: [String] { all.map(\.name) }

    /// What comes of a behaviour; called on the main thread, whose contexts it uses.
    public static func outcome(_ number: Int) -> String {
        do {
            return try all[number].outcome()
        } catch {
            return Rendering.text(of: error)
        }
    }

    /// Names with their outcomes as JSON, a line each.
    public static func report(_ outcomes: [String]) -> String {
        let lines = zip(names, outcomes).map { "  \(quoted($0)): \(quoted($1))" }
        return "{\n" + lines.joined(separator: ",\n") + "\n}"
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            default:
                if scalar.value < 0x20 || scalar.value > 0x7E {
                    for unit in String(scalar).utf16 {
                        let digits = String(unit, radix: 16)
                        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                    }
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }
}

/// Values as texts that are the same on every system.
enum Rendering {
    static func text(of value: Any?) -> String {
        switch value {
        case nil, is NSNull: return "nil"
        case let text as String: return "'\(text)'"
        case let object as NSManagedObject: return object.value(forKey: "name") as? String ?? object.entity.name ?? "?"
        case let number as NSNumber: return number.stringValue
        case let date as Date: return "date \(date.timeIntervalSinceReferenceDate)"
        case let list as [Any]: return "[" + list.map { text(of: $0) }.joined(separator: ", ") + "]"
        case let list as NSOrderedSet: return "[" + list.array.map { text(of: $0) }.joined(separator: ", ") + "]"
        case let set as NSSet: return "{" + set.allObjects.map { text(of: $0) }.sorted().joined(separator: ", ") + "}"
        case let values as [String: Any]:
            return "{"
                + values.sorted { $0.key < $1.key }.map { "\($0.key): \(text(of: $0.value))" }.joined(separator: ", ")
                + "}"
        default: return "a \(type(of: value))"
        }
    }

    /// The code, and those of the errors that it is made of.
    static func text(of error: any Error) -> String {
        let error = error as NSError
        let parts = (error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []).map { part(of: $0) }.sorted()
        return "error \(part(of: error))" + (parts.isEmpty ? "" : " of " + parts.joined(separator: ", "))
    }

    private static func part(of error: NSError) -> String {
        let key = (error.userInfo[NSValidationKeyErrorKey] as? String).map { " \($0)" } ?? ""
        return "\(error.code)\(key)"
    }
}
