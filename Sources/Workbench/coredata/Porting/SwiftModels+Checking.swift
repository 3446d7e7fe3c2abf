import CoreData
import CoreDataMigrationPlanning
import CoreDataPrinting
import CoreDataWorkbench

extension SwiftModels {
    /// Rules about what the compiler sees to in classes, or what classes have by themselves.
    private static let idle: Set = ["required-without-default", "unknown-class"]

    /// Checks the versions that the classes declare, or the one with a name; findings have the places of the classes.
    ///
    /// - Throws: `InspectionError` if there is no version of the name.
    func check(version name: String?, options: ModelCheckOptions) throws -> ModelCheckReport {
        var options = options
        options.disabled.formUnion(Self.idle)
        let chosen = try name.map { try [origin.version($0)] } ?? origin.versions
        var versions: [ModelCheckReport.Version] = []
        for version in chosen {
            let places = report.versions.first { $0.name == version.name }?.places ?? [:]
            let placed = ModelCheck.findings(in: version.model, options: options).map { finding in
                let place = finding.subject.flatMap { places[$0] } ?? finding.entity.flatMap { places[$0] }
                var found = finding
                found.place = place.map { SourcePlace(line: $0.line, column: $0.column) }
                return (file: place?.path ?? places[""]?.path ?? origin.url.path, finding: found)
            }
            versions += Self.versions(version.name, placed)
            // A version without findings counts too.
            if placed.isEmpty { versions += Self.versions(version.name, [], file: places[""]?.path ?? origin.url.path) }
        }
        return ModelCheckReport(versions + unreadable(options))
    }

    /// What could not be read of the classes.
    private func unreadable(_ options: ModelCheckOptions) -> [ModelCheckReport.Version] {
        guard !options.disabled.contains("unreadable-model") else { return [] }
        let findings = report.findings.filter(\.isOmission).map { finding in
            var found = DocumentRules.finding(for: ModelingError(.unreadable, finding.message))
            if finding.line > 0 { found.place = SourcePlace(line: finding.line, column: finding.column) }
            return (file: finding.path, finding: found)
        }
        return Self.versions("", findings)
    }

    /// The findings of a version by their files.
    private static func versions(
        _ name: String, _ findings: [(file: String, finding: ModelFinding)], file: String? = nil
    ) -> [ModelCheckReport.Version] {
        let files = file.map { [$0] } ?? Set(findings.map(\.file)).sorted()
        return files.map { file in
            let own = findings.filter { $0.file == file }.map(\.finding)
            return ModelCheckReport.Version(
                name: name, path: ModelCheckReport.shortPath(URL(fileURLWithPath: file)),
                findings: own.sorted {
                    ($0.place?.line ?? 0, $0.place?.column ?? 0) < ($1.place?.line ?? 0, $1.place?.column ?? 0)
                })
        }
    }
}
