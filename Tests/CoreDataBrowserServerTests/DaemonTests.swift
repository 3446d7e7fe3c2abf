import CMicroHTTPD
import Testing

@Suite("The system's HTTP library")
struct DaemonTests {
    @Test("The header and the library are of one version")
    func headerAndLibraryAreOfOneVersion() {
        let library = String(cString: MHD_get_version())
        #expect(library.hasPrefix("0.9") || library.hasPrefix("1."))
    }
}
