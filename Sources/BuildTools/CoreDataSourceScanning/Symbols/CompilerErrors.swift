import CoreDataModelCompiler

/// Translates the compiler's errors about a stub into errors about members in the real sources.
struct CompilerErrors: CustomStringConvertible {
    let description: String

    init(_ output: String, _ module: ScannedModule) {
        var members: [String: (place: CodePlace, name: String)] = [:]
        for file in module.files {
            for (_, part) in module.parts(of: file) {
                for method in part.methods { members[Self.line(method.place)] = (method.place, method.fullName) }
                for property in part.properties { members[Self.line(property.place)] = (property.place, property.name) }
            }
        }
        var reported: Set<String> = []
        let lines = output.split(separator: "\n").compactMap { line -> String? in
            guard let mark = line.range(of: ": error: ") else { return nil }
            let parts = line[..<mark.lowerBound].split(separator: ":")
            guard parts.count >= 3, let member = members[parts.dropLast().joined(separator: ":")] else { return nil }
            let text = "'\(member.name)' cannot be bridged: \(line[mark.upperBound...]). \(Self.advice)"
            return reported.insert(text).inserted ? ScanFinding(place: member.place, message: text).description : nil
        }
        description = lines.isEmpty ? output : lines.joined(separator: "\n")
    }

    private static let advice =
        "A type of an @NSManaged member must be Foundation's, or be declared in the sources of this target or of one that it "
        + "depends on and that the file imports; otherwise write the accessors by hand."

    private static func line(_ place: CodePlace) -> String { "\(place.file):\(place.line)" }
}
