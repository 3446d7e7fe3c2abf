import CoreDataSQL

extension URL {
    /// The URL of a store on a server, from text as libpq takes it; nil if the text is not such a URL.
    package init?(server text: String) {
        guard let url = try? URL(checkingServer: text) else { return nil }
        self = url
    }

    /// The URL of a store on a server, from text as libpq takes it; the scheme may be written in any case.
    ///
    /// Foundation does not parse URLs whose hosts have their own ports (`db1:5432,db2:5433`), nor URLs with a port that
    /// is not a number. Their hosts and ports become the parameters `host` and `port`, and libpq reports errors in
    /// these. Source: PostgreSQL 15, section 34.1.1.2 of its documentation.
    /// - Throws: the reason why the text is not such a URL, without any part of the text.
    package init(checkingServer text: String) throws(ServerURLText.Problem) {
        let parts = try ServerURLText(text)
        let start = parts.scheme + "://" + (parts.credentials.map { $0 + "@" } ?? "")
        if let url = URL(string: start + parts.hosts + parts.rest) {
            self = url
            return
        }
        var (hosts, ports): ([Substring], [Substring]) = ([], [])
        for place in parts.hosts.split(separator: ",", omittingEmptySubsequences: false) {
            let bracket = place.lastIndex(of: "]") ?? place.startIndex
            let colon = place[bracket...].lastIndex(of: ":")
            hosts.append(place[..<(colon ?? place.endIndex)])
            ports.append(colon.map { place[place.index(after: $0)...] } ?? "")
        }
        let hostList = hosts.map { $0.trimmingCharacters(in: ["[", "]"]) }.joined(separator: ",")
        let rest = parts.rest + (parts.rest.contains("?") ? "&" : "?")
        guard let url = URL(string: start + rest + "host=\(hostList)&port=\(ports.joined(separator: ","))") else {
            throw ServerURLText.Problem(
                cause: "it is no URL", hint: "escape what URLs do not hold: a blank as %20, # as %23, ? as %3F")
        }
        self = url
    }
}
