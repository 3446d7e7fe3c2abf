import CoreDataExchange
import CoreDataLocalization
import CoreDataPrinting
import CoreDataWorkbench

/// `strings`: collects the texts for users of sources, models and property lists into tables for translators.
struct StringsCommand: Command {
    let syntax = CommandSyntax(
        name: ["strings"],
        summary: "Collects the texts of sources, models and property lists into .strings files.",
        operands: [
            CommandOperand(
                name: "PATH", help: "A Swift source or a folder with sources, a model, or a property list.",
                isRepeated: true)
        ],
        options: [
            Option(
                "output", letter: "o", value: "FOLDER",
                help: "A folder such as de.lproj whose tables are made or completed; without it they are printed.")
        ],
        details: [
            "Found in sources: NSLocalizedString, String(localized:), AttributedString(localized:), LocalizedStringResource, "
                + "LocalizedStringKey, Text of SwiftUI, and text(_:languages:) of CoreDataLocalization, with their comments.",
            "Of a model the names of entities and properties go into the table MODELModel, with the keys of "
                + "localizationDictionary; of a property list the values under title, label and similar keys.",
            "What a table in FOLDER has is kept, in its order. New keys are added with the text of the source; keys that "
                + "nothing has any more stay, and their comments say so.",
            "The program coredata-port reads the sources, as for port.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        var extraction = StringExtraction()
        var sources: [String] = []
        for path in arguments.operands {
            let url = URL(fileURLWithPath: path)
            switch url.pathExtension {
            case "plist": try add(list: url, to: &extraction)
            case "xcdatamodeld", "xcdatamodel", "momd", "mom", "omo": try add(model: url, to: &extraction)
            default: sources.append(path)
            }
        }
        if !sources.isEmpty { try add(sources: sources, to: &extraction) }
        for table in extraction.tables {
            for conflict in extraction.conflicts(in: table) {
                let key = PrintableText.escaped(conflict.key, limit: 80)
                StandardError.write("\(Release.name): warning: '\(key)' has several texts or comments")
            }
        }
        if let folder = arguments["output"] {
            for table in extraction.tables { try write(table, of: extraction, in: folder, output) }
        } else {
            for table in extraction.tables {
                if extraction.tables.count > 1 { output.write("/* \(table).strings */\n\n") }
                output.write(extraction.file(table).source)
                if table != extraction.tables.last { output.write("\n") }
            }
        }
    }

    private func add(sources: [String], to extraction: inout StringExtraction) throws {
        let report = try PortProgram.texts(in: sources)
        for text in report.texts {
            extraction.add(
                ExtractedText(
                    text.key, text: text.text, comment: text.comment, table: text.table,
                    place: "\(text.file):\(text.line)"))
        }
        for finding in report.findings {
            let place = PrintableText.escaped(finding.place)
            StandardError.write("\(place): note: \(PrintableText.escaped(finding.message))")
        }
    }

    private func add(list url: URL, to extraction: inout StringExtraction) throws {
        let data: Data
        do { data = try Data(contentsOf: url) } catch {
            throw InspectionError(.unreadable, subject: url.path, cause: "the property list cannot be read")
        }
        do {
            try extraction.add(propertyList: data, file: url.lastPathComponent)
        } catch let error as StringTableError {
            throw InspectionError(.unreadable, subject: url.path, cause: error.description)
        }
    }

    private func add(model url: URL, to extraction: inout StringExtraction) throws {
        let model = try ModelOrigin(at: url).version().model
        let entities = model.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }.map { entity in
            // Names of inherited properties are those of the ancestor.
            let inherited = Set(entity.superentity.map { Array($0.propertiesByName.keys) } ?? [])
            return (
                name: entity.name ?? "",
                properties: entity.propertiesByName.keys.filter { !inherited.contains($0) }.sorted()
            )
        }
        extraction.add(entities: entities, table: url.deletingPathExtension().lastPathComponent + "Model")
    }

    /// Makes the file of a table, or completes it.
    private func write(
        _ table: String, of extraction: StringExtraction, in folder: String, _ output: StandardOutput
    ) throws {
        guard !table.contains("/"), !table.hasPrefix(".") else {
            throw InspectionError(
                .badValue, subject: table, cause: "the table's name cannot be that of a file", hint: "name it otherwise"
            )
        }
        let place = URL(fileURLWithPath: folder).appendingPathComponent("\(table).strings")
        let existing = try existing(place)
        let (file, added, stale) = extraction.merged(with: existing, table: table)
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(file.source.utf8).write(to: place, options: .atomic)
        } catch {
            throw InspectionError(.unreadable, subject: place.path, cause: "the table cannot be written")
        }
        let path = PrintableText.escaped("\(folder)/\(table).strings")
        output.say("\(path): \(file.entries.count) texts, \(added.count) added, \(stale.count) stale")
    }

    private func existing(_ place: URL) throws -> StringsFile {
        guard FileManager.default.fileExists(atPath: place.path) else { return StringsFile() }
        do { return try StringsFile(Data(contentsOf: place)) } catch let error as StringTableError {
            throw InspectionError(
                .unreadable, subject: place.path, cause: error.description, hint: "correct it; nothing was written")
        } catch {
            throw InspectionError(.unreadable, subject: place.path, cause: "the table cannot be read")
        }
    }
}
