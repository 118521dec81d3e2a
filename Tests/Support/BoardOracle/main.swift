import Foundation

// A file handle writes each line at once, so that the other end of the pipe never waits for a
// buffer to fill.
var oracle = Oracle()
while let line = readLine(strippingNewline: true) {
    if line.isEmpty { continue }
    let answer = oracle.answer(to: Array(line.utf8))
    FileHandle.standardOutput.write(Data(answer + [UInt8(ascii: "\n")]))
}
