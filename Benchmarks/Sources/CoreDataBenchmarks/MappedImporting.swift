import CRawBaseline
import CoreData

/// `coredata import` of a JSON array by a mapping, under a unique constraint, beside a batch insertion of the same objects; the same
/// file once more, when nothing changes; and the same by Python's `json` and `sqlite3.executemany`.
enum MappedImporting {
    static let all = [
        Benchmark("IU", size: 1_000_000) { count, session in
            let bench = session.workbench
            let files = try bench.once("mapped import \(count)") { try Files(count, in: bench) }
            return try rows(files, count, runs: min(session.runs, 3))
        }
    ]

    private static func rows(_ files: Files, _ count: Int, runs: Int) throws -> [Row] {
        var (first, second, inserted, python): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
        var peak = 0.0
        for _ in 0..<runs {
            let url = files.bench.place("Mapped")
            defer { Workbench.removeStore(at: url) }
            for isFirst in [true, false] {
                let run = try files.importRecords(into: url, options: isFirst ? ["--create"] : [])
                let expected = "\"\(isFirst ? "inserted" : "unchanged")\":\(count),"
                guard run.output.contains(expected) else { throw Failure("the import reports \(run.output)") }
                if isFirst { first.append(run.seconds) } else { second.append(run.seconds) }
                peak = max(peak, run.peak)
            }
            inserted.append(try files.insertRows(count))
            if let seconds = try files.insertByPython(count) { python.append(seconds) }
        }
        let medians = [first, second, inserted].map(Measurement.median)
        let title = "\(count) JSON records by a mapping"
        let measured = Measurement(ours: Sample(seconds: medians[0]), raw: Sample(seconds: medians[2]))
        var rows = [
            Row(
                name: "IU  coredata import \(title) beside batch insertion", value: measured.ratio, bar: 1.5,
                measurement: measured),
            Row(
                name: "IU  again, when nothing changes, beside the first import", value: medians[1] / medians[0],
                bar: 0.5),
            Row(name: "IU  peak of the process, MiB", value: peak / 1_048_576, bar: 128),
        ]
        if !python.isEmpty {
            rows.append(
                Row(
                    name: "IU  beside Python's json and sqlite3", value: medians[0] / Measurement.median(of: python),
                    bar: 1))
        }
        return rows
    }

    /// Records, their mapping and the model of what they become.
    private struct Files {
        let bench: Workbench
        private let records: URL
        private let mapping: URL
        private let model: URL

        init(_ count: Int, in bench: Workbench) throws {
            self.bench = bench
            records = bench.folder.appendingPathComponent("records-\(count).json")
            mapping = bench.folder.appendingPathComponent("records.plist")
            model = bench.folder.appendingPathComponent("Reading.xcdatamodel")
            try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
            try Data(MappedImporting.model.utf8).write(to: model.appendingPathComponent("contents"))
            try Data(MappedImporting.mapping.utf8).write(to: mapping)
            try Data("{\"readings\":[".utf8).write(to: records)
            let file = try FileHandle(forWritingTo: records)
            defer { try? file.close() }
            try file.seekToEnd()
            for start in stride(from: 0, to: count, by: 10_000) {
                let part = (start..<min(start + 10_000, count)).map { number in
                    (number == 0 ? "" : ",\n")
                        + "{\"id\":\(number),\"station\":{\"name\":\"Station number \(number)\"},"
                        + "\"value\":\"\(Double(number % 1000) / 8)\",\"taken\":\"2024-02-29T12:00:\(10 + number % 50)Z\"}"
                }
                try file.write(contentsOf: Data(part.joined().utf8))
            }
            try file.write(contentsOf: Data("]}\n".utf8))
        }

        func importRecords(into url: URL, options: [String]) throws -> TimedProcess {
            try TimedProcess.tool(
                [
                    "import", url.path, records.path, "--model", model.path, "--mapping", mapping.path,
                    "--format", "json", "--no-progress",
                ] + options)
        }

        func insertRows(_ count: Int) throws -> Double {
            let url = bench.place("Inserted")
            let model = try NSManagedObjectModel(source: Data(MappedImporting.model.utf8))
            let start = raw_now()
            let container = try Workbench.open(url, model)
            defer {
                try? Workbench.close(container)
                Workbench.removeStore(at: url)
            }
            let context = container.newBackgroundContext()
            var number = 0
            let request = NSBatchInsertRequest(
                entityName: "Reading",
                managedObjectHandler: { reading in
                    guard number < count else { return true }
                    reading.setValue(Int64(number), forKey: "number")
                    reading.setValue("Station number \(number)", forKey: "station")
                    reading.setValue(Double(number % 1000) / 8, forKey: "value")
                    reading.setValue(
                        Date(timeIntervalSince1970: 1_709_208_010 + Double(number % 50)), forKey: "taken")
                    number += 1
                    return false
                })
            request.resultType = .count
            let result = try context.performAndWait { try context.execute(request) as? NSBatchInsertResult }
            guard result?.result as? Int == count else { throw Failure("not all rows were inserted") }
            return raw_now() - start
        }

        /// nil where the environment names no Python.
        func insertByPython(_ count: Int) throws -> Double? {
            let environment = ProcessInfo.processInfo.environment
            guard let python = environment["BENCH_PYTHON"], !python.isEmpty,
                let script = environment["BENCH_JSON_SCRIPT"], !script.isEmpty
            else { return nil }
            let url = bench.place("Python")
            defer { Workbench.removeStore(at: url) }
            let run = try TimedProcess(URL(fileURLWithPath: python), [script, records.path, url.path])
            guard run.output.contains("\(count)") else { throw Failure("Python reports \(run.output)") }
            return run.seconds
        }
    }

    private static let mapping = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>at</key><string>readings</string>
        <key>entity</key><string>Reading</string>
        <key>properties</key><dict>
        <key>number</key><string>id</string>
        <key>station</key><string>station.name</string>
        <key>value</key><string>value</string>
        <key>taken</key><string>taken</string>
        </dict>
        </dict></plist>
        """

    private static let model = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22222" \
        systemVersion="22A0" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
        <entity name="Reading" representedClassName="NSManagedObject" syncable="YES">
        <attribute name="number" attributeType="Integer 64" usesScalarValueType="YES"/>
        <attribute name="station" attributeType="String"/>
        <attribute name="taken" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
        <attribute name="value" optional="YES" attributeType="Double" usesScalarValueType="YES"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="number"/></uniquenessConstraint></uniquenessConstraints>
        </entity>
        </model>
        """
}
