import CoreDataModelCompiler

/// Where something stands in a source.
package struct CodePlace: Sendable, Equatable, CustomStringConvertible {
    package let file: String
    package let line: Int
    package let column: Int

    package init(file: String, line: Int, column: Int) {
        (self.file, self.line, self.column) = (file, line, column)
    }

    package var description: String { "\(file):\(line):\(column)" }
}

/// A type, an extension or an alias of a source, with what of it says how managed properties are called and typed.
package struct ScannedType: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case `class`, `struct`, `enum`, actor, `protocol`, `extension`
        /// Another name of a type, as it is written.
        case alias(of: String)
    }

    package let kind: Kind
    /// The name; of an extension the extended type as it is written, such as `Outer.Inner`.
    package let name: String
    /// The generic parameters, as far as they are types.
    package let parameters: [String]
    /// The superclass and the protocols, as they are written.
    package let inherited: [String]
    package let access: SourceAccess
    package let place: CodePlace
    /// The types inside.
    package var types: [ScannedType] = []
    package var properties: [ManagedProperty] = []
    package var methods: [ManagedMethod] = []
    /// What access by key goes through; of classes and extensions only.
    var keyed = KeyedMembers()
    /// Whether Objective-C sees all members of the class, and of those that inherit from it.
    var showsMembers = false
    /// Whether an actor has the type.
    var isActors = false
    /// Whether the class itself returns its properties by number.
    package var overridesTable = false
}

/// A property that is marked `@NSManaged`.
package struct ManagedProperty: Sendable, Equatable {
    package let name: String
    /// The type as it is written.
    package let type: String
    package let access: SourceAccess
    package let settingAccess: SourceAccess
    package let place: CodePlace
}

/// A method that is marked `@NSManaged`, such as `addToPowers(_:)`.
package struct ManagedMethod: Sendable, Equatable {
    package struct Parameter: Sendable, Equatable {
        /// The label of the call; `_` for none.
        package let label: String
        package let type: String
    }

    package let name: String
    package let parameters: [Parameter]
    /// The type of the result as it is written; nil for none.
    package let result: String?
    package let access: SourceAccess
    package let place: CodePlace

    /// The name with its labels, such as `insertIntoItems(_:at:)`.
    package var fullName: String { name + "(" + parameters.map { $0.label + ":" }.joined() + ")" }
}

/// What is to be known of one Swift file.
package struct ScannedFile: Sendable, Equatable {
    /// The file's name without its folder, which names of private things depend on.
    package let name: String
    /// The imports as they are written, such as `import Foundation`.
    package var imports: [String] = []
    package var types: [ScannedType] = []
    /// The names that conditions around types and members depend on, and that the build may define or not.
    package var flags: Set<String> = []
    package var findings: [ScanFinding] = []
}

extension ScannedFile {
    /// The module that an import as it is written names.
    package static func module(ofImport line: String) -> String {
        let path = line.split(separator: " ").last ?? ""
        return path.split(separator: ".").first.map(String.init) ?? ""
    }

    /// The module and the name that an import of one declaration names; nil for one of a module.
    package static func declaration(ofImport line: String) -> (module: String, name: String)? {
        let words = line.split(separator: " ").filter { !$0.hasPrefix("@") }
        guard words.count == 3, let path = words.last, let dot = path.lastIndex(of: ".") else { return nil }
        return (String(path[..<dot]), String(path[path.index(after: dot)...]))
    }

    /// The imports as any other file can write them; an import of one declaration becomes one of the complete module.
    package var plainImports: [String] { importedModules.map { "import " + $0 } }

    /// The modules that the file imports.
    package var importedModules: Set<String> { Set(imports.map(Self.module)) }
}

/// Something in a source that cannot be carried out.
package struct ScanFinding: Error, Sendable, Equatable, CustomStringConvertible {
    package let place: CodePlace
    package let message: String

    /// In the form of the compiler's own errors.
    package var description: String { "\(place): error: \(message)" }
}
