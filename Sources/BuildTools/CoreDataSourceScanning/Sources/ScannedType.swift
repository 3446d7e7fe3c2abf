import CoreDataModelCompiler

/// A file, line and column in a source.
package struct CodePlace: Sendable, Equatable, CustomStringConvertible {
    package let file: String
    package let line: Int
    package let column: Int

    package init(file: String, line: Int, column: Int) {
        (self.file, self.line, self.column) = (file, line, column)
    }

    package var description: String { "\(file):\(line):\(column)" }
}

/// A type, extension or alias in a source, with the parts that affect the symbols and types of managed properties.
package struct ScannedType: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case `class`, `struct`, `enum`, actor, `protocol`, `extension`
        /// A type alias; `of` is the aliased type as written.
        case alias(of: String)
    }

    package let kind: Kind
    /// The name; for an extension, the extended type as written, such as `Outer.Inner`.
    package let name: String
    /// The names of the generic parameters.
    package let parameters: [String]
    /// The superclass and the protocols, as they are written.
    package let inherited: [String]
    package let access: SourceAccess
    package let place: CodePlace
    /// The types inside.
    package var types: [ScannedType] = []
    package var properties: [ManagedProperty] = []
    package var methods: [ManagedMethod] = []
    /// The members that key-value coding may call; empty except for classes and extensions.
    var keyed = KeyedMembers()
    /// Whether the class is marked `@objcMembers`.
    var showsMembers = false
    /// Whether an attribute isolates the type to a global actor.
    var isActors = false
    /// Whether the class or extension declares `propertyTable` itself.
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

/// The scanned contents of one Swift file.
package struct ScannedFile: Sendable, Equatable {
    /// The file's name without its folder; the symbols of private declarations depend on it.
    package let name: String
    /// The imports as they are written, such as `import Foundation`.
    package var imports: [String] = []
    package var types: [ScannedType] = []
    /// The compilation conditions, such as `DEBUG`, on which types and members of the file depend.
    package var flags: Set<String> = []
    package var findings: [ScanFinding] = []
}

extension ScannedFile {
    /// The module that an import line names.
    package static func module(ofImport line: String) -> String {
        let path = line.split(separator: " ").last ?? ""
        return path.split(separator: ".").first.map(String.init) ?? ""
    }

    /// The module and the declaration in a line such as `import struct Module.Name`; nil for an import of a module.
    package static func declaration(ofImport line: String) -> (module: String, name: String)? {
        let words = line.split(separator: " ").filter { !$0.hasPrefix("@") }
        guard words.count == 3, let path = words.last, let dot = path.lastIndex(of: ".") else { return nil }
        return (String(path[..<dot]), String(path[path.index(after: dot)...]))
    }

    /// The file's imports as imports of complete modules, without attributes.
    package var plainImports: [String] { importedModules.map { "import " + $0 } }

    /// The modules that the file imports.
    package var importedModules: Set<String> { Set(imports.map(Self.module)) }
}

/// A member in a source for which no code can be generated, or another problem there.
package struct ScanFinding: Error, Sendable, Equatable, CustomStringConvertible {
    package let place: CodePlace
    package let message: String

    /// In the form of the compiler's own errors.
    package var description: String { "\(place): error: \(message)" }
}
