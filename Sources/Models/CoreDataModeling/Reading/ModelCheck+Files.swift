import CoreDataFoundation

extension ModelCheck {
    /// The finding about a package's current version, and the file of the version that is used; nil if there is none.
    package static func packageFinding(
        at url: URL, options: ModelCheckOptions = .init()
    ) -> (file: URL, finding: ModelFinding)? {
        let rule = DocumentRules.unnamedVersion
        guard !options.disabled.contains(rule.identifier), let location = try? ModelLocation(url),
            let warning = location.warning
        else { return nil }
        return (location.file, ModelFinding(rule: rule, message: warning))
    }

    /// Checks one version of a model in any form; for a file that cannot be read, the result is a finding.
    ///
    /// - Returns: the findings, and the file to which their positions refer.
    public static func findings(
        at url: URL, options: ModelCheckOptions = .init()
    ) -> (file: URL, findings: [ModelFinding]) {
        var file = url
        do {
            let location = try ModelLocation(url)
            file = location.file
            switch location.form {
            case .source: return (file, findings(in: try ModelDocument(at: url), options: options))
            case .binarySource, .compiled:
                let model = NSManagedObjectModel()
                model.adopt(try ModelReading.assembly(at: url))
                return (file, findings(in: model, options: options))
            }
        } catch {
            return (file, unreadable(error, options))
        }
    }
}
