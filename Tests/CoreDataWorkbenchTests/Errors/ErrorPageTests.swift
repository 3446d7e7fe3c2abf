import CoreData
import Testing

@testable import CoreDataWorkbench

/// The page of errors beside the list that it comes from, and the list beside the codes that there are.
@Suite struct ErrorPageTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    private static var entries: [ErrorEntry] { ErrorCatalog.subjects.flatMap(\.entries) }

    private static var codes: [String: Int] {
        get throws {
            let source = try text("Sources/Models/CoreDataFoundation/Missing/CoreDataErrorCodes.swift")
            let pairs = source.matches(of: /public let (NS\w+) = (\d+)/)
            return Dictionary(uniqueKeysWithValues: pairs.map { (String($0.1), Int($0.2) ?? 0) })
        }
    }

    @Test("the page says what the list says")
    func pageIsThatOfTheList() throws {
        let url = Self.root.appendingPathComponent("Docs/Errors.md")
        if ProcessInfo.processInfo.environment["OPENCOREDATA_WRITE_PAGES"] == "1" {
            try Data(ErrorPage.text.utf8).write(to: url)
        }
        #expect(try String(contentsOf: url, encoding: .utf8) == ErrorPage.text)
    }

    @Test("each public code has an entry with its name and number")
    func everyCodeHasAnEntry() throws {
        let codes = try Self.codes
        let names = try Self.text("Docs/PublicAPI.txt").split(separator: "\n").compactMap {
            $0.firstMatch(of: /^(NS\w+Error): let \w+: Int$/).map { String($0.1) }
        }
        #expect(names.count > 40 && Set(names) == Set(codes.keys))
        for (name, code) in codes {
            let entry = try #require(ErrorCatalog.entry(code), "\(name) has no entry")
            #expect(entry.name == name, "\(code)")
        }
    }

    @Test("the code of each entry is one that there is, stands once, and has causes and cures")
    func everyEntryHasACode() throws {
        let codes = try Self.codes
        let foundation: [String: CocoaError.Code] = [
            "NSFileReadUnknownError": .fileReadUnknown, "NSFileReadCorruptFileError": .fileReadCorruptFile,
            "NSFileReadNoSuchFileError": .fileReadNoSuchFile, "NSFileReadTooLargeError": .fileReadTooLarge,
            "NSFileWriteUnknownError": .fileWriteUnknown, "NSFileWriteNoPermissionError": .fileWriteNoPermission,
            "NSFileWriteOutOfSpaceError": .fileWriteOutOfSpace, "NSUserCancelledError": .userCancelled,
            "NSPropertyListReadCorruptError": .propertyListReadCorrupt,
        ]
        for entry in Self.entries {
            if let name = entry.name {
                #expect((codes[name] ?? foundation[name]?.rawValue) == entry.code, "\(name)")
            } else {
                #expect(try Self.thrownNumbers.contains(entry.code), "nothing throws \(entry.code)")
            }
            #expect(!entry.causes.isEmpty && !entry.cures.isEmpty && entry.meaning.hasSuffix("."), "\(entry.code)")
        }
        #expect(Set(Self.entries.map(\.code)).count == Self.entries.count)
    }

    @Test("each number that the sources throw without a constant has an entry")
    func everyThrownNumberHasAnEntry() throws {
        let numbers = try Self.thrownNumbers
        #expect(numbers.count >= 2)
        for number in numbers { #expect(ErrorCatalog.entry(number) != nil, "\(number)") }
    }

    /// Numbers that stand as the code of an error, such as `134_501, "The store …`.
    private static var thrownNumbers: Set<Int> {
        get throws {
            var found: Set<Int> = []
            let sources = root.appendingPathComponent("Sources")
            let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
            while let file = files?.nextObject() as? URL {
                guard file.pathExtension == "swift", !file.path.contains("/Catalog/") else { continue }
                let source = try String(contentsOf: file, encoding: .utf8)
                for match in source.matches(of: /(?m)^ +(13\d_\d{3}), "/) {
                    found.insert(Int(match.1.replacing("_", with: "")) ?? 0)
                }
            }
            return found
        }
    }

    @Test("each public type of error has a row")
    func everyTypeHasRow() throws {
        let types = try Self.text("Docs/PublicAPI.txt").split(separator: "\n").compactMap {
            $0.firstMatch(of: /^(\w+Error): (?:struct|enum)\b/).map { String($0.1) }
        }
        #expect(types.count >= 5)
        for type in types { #expect(ErrorPage.text.contains("| `\(type)` |"), "\(type)") }
    }

    @Test("a message ends with the code that has an entry")
    func messagesNameTheEntry() {
        let hashes = NSError(domain: NSCocoaErrorDomain, code: NSPersistentStoreIncompatibleVersionHashError)
        #expect(ErrorText.line(for: hashes).hasSuffix(" [134100]"))
        #expect(ErrorText.line(for: NSError(domain: "Own", code: 134_100)).hasSuffix("[134100]") == false)
        let missing = InspectionError.unreadable(
            URL(fileURLWithPath: "/nowhere.sqlite"),
            NSError(
                domain: NSCocoaErrorDomain, code: NSPersistentStoreOpenError,
                userInfo: [NSFilePathErrorKey: "/nowhere.sqlite", NSLocalizedFailureReasonErrorKey: "there is no file"])
        )
        #expect(missing.description == "/nowhere.sqlite: there is no file [134080]")
    }

    @Test("a terminal shows neither marks of code nor addresses of links")
    func terminalText() throws {
        let entry = try #require(ErrorCatalog.entry(NSInferredMappingModelError))
        #expect(entry.paragraphs[0].hasPrefix("134190 NSInferredMappingModelError: "))
        #expect(entry.paragraphs.count == 1 + entry.causes.count + entry.cures.count)
        let text = entry.paragraphs.joined()
        #expect(!text.contains("`") && !text.contains("](") && text.contains("that Migration lists"))
    }
}
