import CoreData

/// Generates unique names of migration policies, which are Swift identifiers, and of their mappings.
struct PolicyNames {
    private let source: String
    private let destination: String
    private var taken = Set<String>()

    init(_ source: String, _ destination: String) {
        self.source = Self.identifier(source)
        self.destination = Self.identifier(destination)
    }

    /// `EventOneToEventTwoMigrationPolicy`.
    mutating func policy(for entry: MappingScaffold.Entry) -> String {
        let (old, new) = (Self.identifier(entry.old?.name ?? ""), Self.identifier(entry.new?.name ?? ""))
        let name = "\(old)\(source)To\(new)\(destination)MigrationPolicy"
        return unique(name.unicodeScalars.first?.properties.isXIDStart == true ? name : "_" + name)
    }

    /// `EventToEvent`, like the names that Xcode's mapping model editor generates.
    mutating func mapping(for entry: MappingScaffold.Entry) -> String {
        unique("\(entry.old?.name ?? "")To\(entry.new?.name ?? "")")
    }

    private mutating func unique(_ name: String) -> String {
        var (candidate, number) = (name, 2)
        while !taken.insert(candidate).inserted {
            candidate = "\(name)\(number)"
            number += 1
        }
        return candidate
    }

    /// Removes the characters that a Swift identifier cannot contain: `Model 2` becomes `Model2`.
    static func identifier(_ name: String) -> String {
        let plain = name.unicodeScalars.filter { $0 == "_" || $0.properties.isXIDContinue }
        return plain.isEmpty ? "_" : String(String.UnicodeScalarView(plain))
    }
}
