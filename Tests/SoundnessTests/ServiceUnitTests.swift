import Foundation
import Testing

@Suite("deploy/homeboard.service")
struct ServiceUnitTests {
    private static let analyzer = "/usr/bin/systemd-analyze"

    /// 10 is a program that may do everything; `OK` begins at 2.
    @Test(
        "systemd rates its exposure at 1.5 or less",
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: analyzer),
            "systemd-analyze isn't installed"))
    func exposure() throws {
        let process = Process()
        process.executableURL = URL(filePath: Self.analyzer)
        process.arguments = [
            "security", "--offline=true", "--no-pager", "--threshold=15",
            SourceTree.root.appending(path: "deploy/homeboard.service").path,
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let lines = String(decoding: said, as: UTF8.self).split(separator: "\n")
        let weak = lines.filter { $0.hasPrefix("✗") || $0.hasPrefix("→") }
        #expect(process.terminationStatus == 0, "\(list(weak))")
        #expect(lines.contains { $0.contains("Overall exposure level") }, "\(list(lines))")
    }

    @Test("it uses what the program understands")
    func commands() {
        let unit = SourceFile(path: "deploy/homeboard.service")
        let starts = unit.lines.filter { $0.hasPrefix("ExecStart") }
        #expect(starts.map { $0.split(separator: " ")[1] } == ["check-config", "serve"])
        let program = SourceFile(path: "Sources/homeboard/main.swift").text
        #expect(program.contains("case \"serve\"") && program.contains("case \"check-config\""))
    }
}
