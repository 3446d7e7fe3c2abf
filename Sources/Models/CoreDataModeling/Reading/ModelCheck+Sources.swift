import CoreDataFoundation

extension ModelCheck {
    /// Checks the bytes of a source; if they cannot be read, the result is a finding.
    public static func findings(source data: Data, options: ModelCheckOptions = .init()) -> [ModelFinding] {
        do {
            return findings(in: try ModelDocument(data), options: options)
        } catch {
            return unreadable(error, options)
        }
    }

    /// Checks a source; the findings are sorted by position.
    package static func findings(in document: ModelDocument, options: ModelCheckOptions = .init()) -> [ModelFinding] {
        let reader = ModelSourceReader(document)
        var outline = ModelOutline(reader.assembly)
        outline.isUsedWithCloudKit = document.root["usedWithCloudKit"].map { $0 != "NO" && !$0.isEmpty } ?? false
        outline.faults = reader.faults.findings
        return findings(in: outline, options: options)
    }

    static func unreadable(_ error: any Error, _ options: ModelCheckOptions) -> [ModelFinding] {
        [DocumentRules.finding(for: error)].filter { !options.disabled.contains($0.rule.identifier) }
    }
}
